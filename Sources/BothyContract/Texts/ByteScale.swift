/// Numbers of bytes in steps of 1024, as every command rounds them: to a tenth below ten of a unit, to a whole number from
/// there on; to the nearest, half up.
///
/// Of two numbers the larger never reads as the smaller: what is used reads as no more than a quota that it is within.
package enum ByteScale {
    private static let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

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
