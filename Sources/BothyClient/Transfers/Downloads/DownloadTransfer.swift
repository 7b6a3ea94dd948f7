import BothyContract

/// A download's record: what is to be fetched, how far it is, and what is known when it goes wrong.
package struct DownloadTransfer: Equatable, Sendable {
    package let transferId: String
    package let remoteFileId: String
    /// The revision that is fetched; nil until it has been looked up.
    package var revisionId: String?
    /// Fetches the head, whichever that is by the end.
    package let followsHead: Bool
    package let name: String

    /// Bytes; nil until looked up.
    package var expectedSize: Int64?
    package var expectedHash: ContentHash?
    /// The validator that ranges are fetched under.
    package var etag: String?
    package var modifiedAt: Timestamp?
    package var executable = false

    package let destinationPath: String
    /// The partial file, in the destination's folder, so that the promotion is a rename.
    package let tempPath: String
    package let replacing: Bool
    /// See ``DownloadOrder/replaces``.
    package var replaces: SourcePin?
    /// See ``DownloadOrder/basis``.
    package let basisPath: String?
    /// See ``DriveDownload/isDurable``. Of this run alone: a process that resumes a record makes it durable.
    package var isDurable = true

    /// Bytes. What has arrived of a chunk is lost with its connection, so chunks are small; requests ask for many.
    package var chunkSize = defaultChunkSize
    package var downloadedChunks = ChunkProgress(total: 0)
    /// Bytes that came over the network, over all of its runs; the others were here.
    package var fetchedBytes: Int64 = 0

    static let defaultChunkSize: Int64 = 1 << 20

    package var state = TransferState.queued
    package var wish: TransferWish?
    package var runner: String?
    /// The most that was ever shown as done, in bytes.
    package var shownBytes: Int64 = 0

    package var lastError: TransferFailure?
    package var failures = 0
    package var attemptsPerChunk = [Int: Int]()
    package var lastByteOffset: Int64 = 0
    package var lastServerStatus: Int?

    package let createdAt: Timestamp
    package var updatedAt: Timestamp

    package init(transferId: String, order: DownloadOrder, now: Timestamp) {
        self.transferId = transferId
        remoteFileId = order.fileId
        revisionId = order.revisionId
        followsHead = order.revisionId == nil
        name = order.name
        destinationPath = order.destination
        tempPath = Self.tempPath(for: order.destination, transferId: transferId)
        replacing = order.replacing
        replaces = order.replaces
        basisPath = order.basis ?? (order.replacing ? order.destination : nil)
        isDurable = order.isDurable
        createdAt = now
        updatedAt = now
    }

    /// Whether its basis is a file of which more is known than that it lies where this one should.
    var hasOwnBasis: Bool { basisPath != nil && basisPath != destinationPath }

    package var grid: ChunkGrid? { expectedSize.map { ChunkGrid(size: $0, chunkSize: chunkSize) } }

    /// The folder that the destination lies in.
    package var folder: String { Self.split(destinationPath).folder }

    /// Hidden, in the destination's folder, short enough for a name of 255 bytes.
    private static func tempPath(for destination: String, transferId: String) -> String {
        let (folder, name) = split(destination)
        var stem = name
        while stem.utf8.count > 200 { stem.removeLast() }
        return "\(folder)/.\(stem).\(transferId.suffix(12)).bothy-part"
    }

    static func folder(of path: String) -> String { split(path).folder }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastSlash else { return (".", path) }
        let folder = String(path[..<slash])
        return (folder.isEmpty ? "/" : folder, String(path[path.unicodeScalars.index(after: slash)...]))
    }
}

extension DownloadTransfer {
    package func snapshot(bytesMoved: Int64 = 0) -> TransferSnapshot {
        TransferSnapshot(
            id: transferId, direction: .download, name: name, localPath: destinationPath, state: state,
            bytesDone: shownBytes, bytesTotal: expectedSize, bytesMoved: bytesMoved, failure: lastError,
            remoteFileId: remoteFileId, remoteRevisionId: revisionId, checksum: expectedHash, replacedBy: nil,
            createdAt: createdAt, updatedAt: updatedAt, bytesCarried: fetchedBytes,
            trace: TransferTrace(
                failures: failures, attempts: attemptsPerChunk, byteOffset: lastByteOffset,
                serverStatus: lastServerStatus))
    }
}
