/// A SHA-256 (FIPS 180-4) of some content: the name of a block, and the checksum of a file.
///
/// Only its spelling lives here; `BothyContent` computes it. On the wire it is 64 lowercase hex digits.
public struct ContentHash: Hashable, Sendable {
    /// 32 bytes, always.
    public let bytes: [UInt8]

    /// Of SHA-256.
    public static let byteCount = 32

    /// - Returns: nil unless there are exactly 32 bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// - Parameter hex: 64 hex digits of either case.
    public init?(hex: some StringProtocol) {
        let digits = hex.utf8
        guard digits.count == Self.byteCount * 2 else { return nil }
        var bytes = [UInt8]()
        bytes.reserveCapacity(Self.byteCount)
        var high: UInt8?
        for digit in digits {
            guard let value = Self.value(ofHexDigit: digit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        self.bytes = bytes
    }

    /// 64 lowercase hex digits.
    public var hex: String {
        String(unsafeUninitializedCapacity: Self.byteCount * 2) { digits in
            for (index, byte) in bytes.enumerated() {
                digits[index * 2] = Self.hexDigit(byte >> 4)
                digits[index * 2 + 1] = Self.hexDigit(byte & 15)
            }
            return Self.byteCount * 2
        }
    }

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
