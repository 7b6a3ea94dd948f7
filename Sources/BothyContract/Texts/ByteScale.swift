/// Numbers of bytes in steps of 1024, as every command rounds them: to a tenth below ten of a unit, to a whole number from
/// there on; to the nearest, half up.
///
/// Of two numbers the larger never reads as the smaller: what is used reads as no more than a quota that it is within.
package enum ByteScale {
    private static let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

    /// `0 B`, `999 B`, `1.5 KiB`, `12 MiB`. Negative numbers do not occur; they read as 0.
    package static func text(_ bytes: Int64) -> String {
        guard let (tenths, unit) = scaled(bytes) else { return "\(max(0, bytes)) B" }
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(tenths / 10) \(unit)"
    }

    /// - Returns: nil for less than a KiB, which is told in bytes.
    package static func scaled(_ bytes: Int64) -> (tenths: Int, unit: String)? {
        guard bytes >= 1024 else { return nil }
        var (value, unit) = (Double(bytes) / 1024, 0)
        // 1023.5 would be written “1024”.
        while unit < units.count - 1, value >= 1023.5 {
            value /= 1024
            unit += 1
        }
        let tenths = Int((value * 10).rounded())
        return (tenths < 100 ? tenths : Int(value.rounded()) * 10, units[unit])
    }
}
