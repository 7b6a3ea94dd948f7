import BothyContract

/// A transfer as it is shown.
public struct TransferSnapshot: Codable, Equatable, Sendable, Identifiable {
    /// Which way the bytes go.
    public enum Direction: String, Codable, CaseIterable, Sendable {
        case upload, download
    }

    /// Of this device; the first letters are enough where they fit one only.
    public var id: String
    public var direction: Direction
    /// The file's name on the server.
    public var name: String
    /// The source of an upload, the destination of a download.
    public var localPath: String
    public var state: TransferState
    /// Bytes of the file that are over there (or here); it never runs backwards, over restarts too.
    public var bytesDone: Int64
    /// Of the bytes that are not, those that were handed to the connection; absent where this process sends none.
    public var bytesOnTheWay: Int64?
    /// Absent until the size is known.
    public var bytesTotal: Int64?
    /// Bytes that this process has moved, those moved twice included: what a rate is made from.
    public var bytesMoved: Int64
    /// Bytes of the file that had to cross the network, over all of its runs; the others were on the other side already. Absent where a
    /// program of an older release tells.
    public var bytesCarried: Int64?
    /// Why it failed, or waits.
    public var failure: TransferFailure?
    /// The file on the server: for an upload once it is there.
    public var remoteFileId: String?
    /// The revision that it made, or fetches.
    public var remoteRevisionId: String?
    /// SHA-256 of the whole, once it is known.
    public var checksum: ContentHash?
    /// The transfer that sends the newer content, where the source changed during this one.
    public var replacedBy: String?
    /// What it met on its way; absent where a program of an older release tells.
    public var trace: TransferTrace?
    public var createdAt: Timestamp
    /// Of the newest record of how far it is.
    public var updatedAt: Timestamp

    public init(
        id: String, direction: Direction, name: String, localPath: String, state: TransferState, bytesDone: Int64,
        bytesTotal: Int64?, bytesMoved: Int64, failure: TransferFailure?, remoteFileId: String?,
        remoteRevisionId: String?, checksum: ContentHash?, replacedBy: String?, createdAt: Timestamp,
        updatedAt: Timestamp, bytesCarried: Int64? = nil, bytesOnTheWay: Int64? = nil,
        trace: TransferTrace? = nil
    ) {
        self.id = id
        self.direction = direction
        self.name = name
        self.localPath = localPath
        self.state = state
        self.bytesDone = bytesDone
        self.bytesTotal = bytesTotal
        self.bytesMoved = bytesMoved
        self.failure = failure
        self.remoteFileId = remoteFileId
        self.remoteRevisionId = remoteRevisionId
        self.checksum = checksum
        self.replacedBy = replacedBy
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.bytesCarried = bytesCarried
        self.bytesOnTheWay = bytesOnTheWay
        self.trace = trace
    }
}
