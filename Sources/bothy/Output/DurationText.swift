/// Spans of time as people read them.
enum DurationText {
    /// `0:07`, `12:05`, `1:02:03`; days where there are many hours. For time left and time taken, in whole seconds.
    static func clock(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 400 * 86_400 else { return "–:––" }
        let whole = Int64(max(0, seconds).rounded(.up))
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        if hours >= 48 { return "\(hours / 24) days" }
        if hours > 0 { return "\(hours):\(two(minutes)):\(two(rest))" }
        return "\(minutes):\(two(rest))"
    }

    /// `0.4 s`, `12 s`, `3 min 5 s`, `2 h 4 min`: for a sentence.
    static func words(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0 else { return "some time" }
        if seconds < 10 {
            let tenths = Int((seconds * 10).rounded())
            return "\(tenths / 10).\(tenths % 10) s"
        }
        let whole = Int64(seconds.rounded())
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3600) h \(whole / 60 % 60) min"
    }

    private static func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
