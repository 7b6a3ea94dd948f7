/// How long a film runs, as players write it.
enum FilmLength {
    /// «0:07», «1:02:09»; nil for what no film takes.
    static func text(milliseconds: Int64) -> String? {
        guard milliseconds > 0 else { return nil }
        // What is shorter than a second is no film of nothing.
        let seconds = max(1, milliseconds / 1000)
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return (hours > 0 ? "\(hours):\(twoDigits(minutes))" : "\(minutes)") + ":\(twoDigits(seconds % 60))"
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
