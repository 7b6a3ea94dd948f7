import Foundation

/// `Bothy-Batch-Heads: crc32c=:<base64>:`, a checksum for each item of a batch, in their order.
///
/// Each is the CRC-32C of the item's eight bytes of lengths and of its metadata, in four bytes, the highest first. The content needs none:
/// the metadata has its SHA-256. So a reader of the batch can check each item before it acts, without having all of the body.
public struct HeadChecksums: Equatable, Sendable {
    private static let prefix = "crc32c=:"

    /// One for each item.
    public var values: [UInt32]

    public init(_ values: [UInt32]) { self.values = values }

    /// - Parameter text: the header's value.
    /// - Returns: nil for what is no such value.
    public init?(text: String) {
        guard text.hasPrefix(Self.prefix), text.hasSuffix(":"), text.utf8.count > Self.prefix.utf8.count,
            let bytes = Data(base64Encoded: String(text.dropFirst(Self.prefix.count).dropLast())),
            bytes.count.isMultiple(of: 4)
        else { return nil }
        values = stride(from: bytes.startIndex, to: bytes.endIndex, by: 4).map { start in
            bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    /// The header's value.
    public var text: String {
        var bytes = Data(capacity: values.count * 4)
        for value in values { withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) } }
        return "\(Self.prefix)\(bytes.base64EncodedString()):"
    }
}
