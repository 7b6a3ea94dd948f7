import BothyContract

/// A number of bytes as people write it: `10 GiB`, `500MB`, `1048576`.
package enum ByteCount {
    private static let units: [String: Int64] = [
        "": 1, "b": 1, "kb": 1_000, "mb": 1_000_000, "gb": 1_000_000_000, "tb": 1_000_000_000_000,
        "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40,
        "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
    ]

    /// - Returns: nil for what is no number of bytes, is negative, or takes more than 63 bits.
    package static func parse(_ text: String) -> Int64? {
        let compact = text.lowercased().filter { !$0.isWhitespace }
        let digits = compact.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), let unit = units[String(compact.dropFirst(digits.count))] else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit)
        return overflow ? nil : bytes
    }

    /// «1.5 GiB», for a person; rounded as every command does (``ByteScale``).
    package static func text(_ bytes: Int64) -> String {
        guard let (tenths, unit) = ByteScale.scaled(bytes) else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        return tenths % 10 == 0 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}
