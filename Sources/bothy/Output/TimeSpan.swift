import ArgumentParser

/// A span of time as people type it: `90s`, `30m`, `1h`, `2d`.
struct TimeSpan: ExpressibleByArgument, Equatable, Sendable {
    /// From a second to a year.
    var seconds: Int64

    private static let longest: Int64 = 366 * 86_400

    init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let last = argument.last, let unit = units[last], let count = Int64(argument.dropLast()), count > 0,
            count <= Self.longest / unit
        else { return nil }
        seconds = count * unit
    }
}
