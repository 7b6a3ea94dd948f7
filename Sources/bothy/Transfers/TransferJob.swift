import BothyClient

/// One file that a command moves: the order, and how it is told of.
struct TransferJob: Sendable {
    enum Order: Sendable {
        case upload(UploadOrder)
        case download(DownloadOrder)
        /// One that the device has on record, to be gone on with.
        case resume(String)
        /// One that runs already, or has ended meanwhile.
        case begun(String)
    }

    var order: Order
    /// As it is shown: the local path of an upload, the server's path of a download.
    var label: String
    var local: String
    /// From the root; of an upload that keeps both, without the counter that it may get.
    var path: String
    /// Bytes, where they are known.
    var size: Int64?
    /// Only the server knows where the file is: under a counter where the name was taken, or of a transfer on record.
    var pathIsOpen = false
    /// Typed by the person itself, and so told of in a line of its own when it is done.
    var isNamed: Bool

    var direction: TransferSnapshot.Direction {
        switch order {
        case .upload: .upload
        case .download, .resume, .begun: .download
        }
    }
}

extension TransferJob {
    /// One that the device has on record: of where it is on the server, only the name is known here.
    ///
    /// - Parameter place: where it is here, or will be.
    init(_ transfer: TransferSnapshot, at place: String, isBegun: Bool) {
        self.init(
            order: isBegun ? .begun(transfer.id) : .resume(transfer.id), label: place, local: place,
            path: transfer.name, size: transfer.bytesTotal, pathIsOpen: true, isNamed: true)
    }
}
