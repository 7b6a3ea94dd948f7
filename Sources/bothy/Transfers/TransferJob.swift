import BothyClient

/// One file that a command moves: the order, and how it is told of.
struct TransferJob: Sendable {
    enum Order: Sendable {
        case upload(UploadOrder)
        case download(DownloadOrder)
        /// One that the device has on record already.
        case resume(String)
    }

    var order: Order
    /// As it is shown: the local path of an upload, the server's path of a download.
    var label: String
    var local: String
    /// From the root; of an upload that keeps both, without the counter that it may get.
    var path: String
    /// Bytes, where they are known.
    var size: Int64?
    /// Typed by the person itself, and so told of in a line of its own when it is done.
    var isNamed: Bool

    var direction: TransferSnapshot.Direction {
        switch order {
        case .upload: .upload
        case .download, .resume: .download
        }
    }
}

extension TransferJob {
    /// One that the device has on record. Where it is on the server, only its name is known.
    init(resuming transfer: TransferSnapshot) {
        self.init(
            order: .resume(transfer.id), label: transfer.localPath, local: transfer.localPath, path: transfer.name,
            size: transfer.bytesTotal, isNamed: true)
    }
}
