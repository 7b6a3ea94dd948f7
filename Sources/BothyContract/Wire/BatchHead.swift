/// The head of one item in a body that carries many: that of `POST /v1/upload/batch`, and the answer to `POST /v1/content/batch`.
///
/// Such a body is one item after the other, with nothing between: the head; the metadata, JSON; the content. The head is the
/// length of the metadata and that of the content, in bytes, as two numbers of 32 bits, the highest byte first.
public struct BatchHead: Equatable, Sendable {
    /// Bytes of a head.
    public static let byteCount = 8

    /// At most ``UploadLimits/batchMetadata``.
    public var metadataBytes: Int
    /// At most ``UploadLimits/batchContent``.
    public var contentBytes: Int

    /// - Precondition: both fit 32 bits.
    public init(metadataBytes: Int, contentBytes: Int) {
        precondition(
            UInt32(exactly: metadataBytes) != nil && UInt32(exactly: contentBytes) != nil, "lengths of 32 bits")
        self.metadataBytes = metadataBytes
        self.contentBytes = contentBytes
    }

    /// - Returns: nil unless there are exactly eight bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        metadataBytes = Int(number >> 32)
        contentBytes = Int(number & 0xFFFF_FFFF)
    }

    /// Eight, the highest of each number first.
    public var bytes: [UInt8] {
        let number = UInt64(metadataBytes) << 32 | UInt64(contentBytes)
        return (0..<Self.byteCount).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}
