import BothyContract

/// Numbers of bytes as people write and read them.
enum ByteText {
    /// `0 B`, `999 B`, `1.5 KiB`, `12 MiB`: one decimal below ten, to the nearest (``ByteScale``). Negative
    /// numbers do not occur; they read as 0.
    static func text(_ bytes: Int64) -> String { ByteScale.text(bytes) }

    /// Bytes per second: `4.1 MiB/s`.
    static func rate(_ bytesPerSecond: Double) -> String {
        guard bytesPerSecond.isFinite, bytesPerSecond < Double(Int64.max / 2) else { return "–" }
        return text(Int64(max(0, bytesPerSecond))) + "/s"
    }

    /// Reads `1500`, `500K`, `5M`, `1.5 GiB`, `10MB`: K, M, G and T count in steps of 1024 (with or without `iB`), and in
    /// steps of 1000 where a plain `B` follows, as in `MB`. Either case.
    ///
    /// - Returns: nil for anything else, and for what is below 0 or past 63 bits.
    static func parse(_ text: String) -> Int64? {
        let lowered = text.lowercased().filter { $0 != " " }
        let digits = lowered.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let number = decimal(String(digits)), let factor = factor(lowered.dropFirst(digits.count)) else {
            return nil
        }
        let value = (number * factor).rounded(.down)
        guard value.isFinite, value < 0x1p63 else { return nil }
        return Int64(value)
    }

    private static func decimal(_ digits: String) -> Double? {
        guard digits.contains(where: \.isNumber), digits.filter({ $0 == "." }).count <= 1, digits.count <= 20 else {
            return nil
        }
        return Double(digits)
    }

    private static func factor(_ unit: Substring) -> Double? {
        if unit.isEmpty || unit == "b" { return 1 }
        guard let letter = unit.first, let power = ["k", "m", "g", "t"].firstIndex(of: letter) else { return nil }
        let base: Double
        switch unit.dropFirst() {
        case "", "i", "ib": base = 1024
        case "b": base = 1000
        default: return nil
        }
        return (0...power).reduce(1) { product, _ in product * base }
    }
}
