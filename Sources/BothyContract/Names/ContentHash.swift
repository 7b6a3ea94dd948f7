import Foundation

/// A SHA-256 (FIPS 180-4) of some content: the name of a block, and the checksum of a file.
///
/// Only its spelling lives here; `BothyContent` computes it. On the wire it is 64 lowercase hex digits.
public struct ContentHash: Hashable, Sendable {
    // Its bytes in their order, eight in each. No array, so that copying it counts no references: it is in all that speaks of a file.
    private let first, second, third, last: UInt64

    /// Of SHA-256.
    public static let byteCount = 32

    /// - Parameter bytes: 32 of them.
    private init(_ bytes: UnsafeRawBufferPointer) {
        first = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        second = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        third = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        last = bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    }

    /// - Returns: nil unless there are exactly 32 bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self =
            bytes.withContiguousStorageIfAvailable { ContentHash(UnsafeRawBufferPointer($0)) }
            ?? Array(bytes).withUnsafeBytes { ContentHash($0) }
    }

    /// - Parameter hex: 64 hex digits of either case.
    public init?(hex: some StringProtocol) { self.init(hexDigits: hex.utf8) }

    /// - Parameter digits: 64 hex digits of either case, in ASCII.
    package init?(hexDigits digits: some Collection<UInt8>) {
        guard digits.count == Self.byteCount * 2 else { return nil }
        let hash = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.byteCount) { bytes -> ContentHash? in
            for (index, digit) in digits.enumerated() {
                guard let value = Self.value(ofHexDigit: digit) else { return nil }
                bytes[index / 2] = index % 2 == 0 ? value << 4 : bytes[index / 2] | value
            }
            return ContentHash(UnsafeRawBufferPointer(bytes))
        }
        guard let hash else { return nil }
        self = hash
    }

    /// 32 bytes, always; an array of its own at each call.
    public var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// - Parameter body: given the 32 bytes, which are there while it runs.
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        Swift.withUnsafeBytes(of: self, body)
    }

    /// 64 lowercase hex digits.
    public var hex: String {
        withUnsafeBytes { bytes in
            String(unsafeUninitializedCapacity: Self.byteCount * 2) { digits in
                for (index, byte) in bytes.enumerated() {
                    digits[index * 2] = Self.hexDigit(byte >> 4)
                    digits[index * 2 + 1] = Self.hexDigit(byte & 15)
                }
                return Self.byteCount * 2
            }
        }
    }

    /// As `Content-Digest` and `Repr-Digest` write it (RFC 9530).
    public var digestField: String { "sha-256=:\(Data(bytes).base64EncodedString()):" }

    private static func value(ofHexDigit digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

extension ContentHash: CustomStringConvertible {
    public var description: String { hex }
}

extension ContentHash: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let hash = ContentHash(hex: text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not the 64 hex digits of a SHA-256")
        }
        self = hash
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}
