import NIOCore

/// Files in one download.
public struct FileArchive: Sendable {
    /// As `Content-Disposition` has it: what it is called, and that it is kept.
    public var disposition: String
    /// Bytes.
    public var size: Int64
    /// Hands on all of it, in order; it throws what goes wrong on the way, and then nobody takes what came for the whole.
    public var send: @Sendable (_ piece: (ByteBuffer) async throws -> Void) async throws -> Void

    public init(
        disposition: String, size: Int64,
        send: @escaping @Sendable ((ByteBuffer) async throws -> Void) async throws -> Void
    ) {
        self.disposition = disposition
        self.size = size
        self.send = send
    }
}

/// Packing files and folders into one download. Every method throws `ClientFailure`.
public protocol FileArchiving: Sendable {
    /// A ZIP of these, with all that lies below them.
    ///
    /// - Parameter items: at least one.
    /// - Throws: `notFound`; `refused` for more than fits; `serverBusy` while as many are under way as may be.
    func zip(_ items: [ItemID]) async throws -> FileArchive
}
