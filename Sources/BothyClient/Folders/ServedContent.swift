import BothyContract
import NIOCore

/// Where a browser gets bytes.
public enum ContentPlace: Sendable {
    /// There for a while, as a path of this server's.
    case address(String)
    /// From the server that answers it.
    case here(ServedContent)
}

/// A file's content, as a browser may be given it by this process itself.
public struct ServedContent: Sendable {
    public var name: String
    public var mimeType: String
    /// Bytes of the whole.
    public var size: Int64
    /// Tells this content from any other; nil where nobody knows.
    public var checksum: ContentHash?
    /// Hands on a part of it, in order; it throws what goes wrong on the way.
    public var send: @Sendable (_ range: Range<Int64>, _ piece: (ByteBuffer) async throws -> Void) async throws -> Void

    public init(
        name: String, mimeType: String, size: Int64, checksum: ContentHash?,
        send: @escaping @Sendable (Range<Int64>, (ByteBuffer) async throws -> Void) async throws -> Void
    ) {
        self.name = name
        self.mimeType = mimeType
        self.size = size
        self.checksum = checksum
        self.send = send
    }
}
