/// How fast bytes have been moving of late.
///
/// A moving window: what a person wants to know is the last seconds, not the average since the start.
struct RateMeter: Equatable, Sendable {
    private struct Sample: Equatable {
        var at: Double
        var bytes: Int64
    }

    /// Seconds that are looked back on.
    static let window = 8.0
    /// Samples are at least this far apart, in seconds, so that at most `window / spacing` + 2 are kept.
    private static let spacing = 0.25

    private var samples: [Sample] = []

    /// - Parameters:
    ///   - bytes: all that have moved so far; a smaller number than before counts as no movement.
    ///   - at: seconds on a clock that never runs backwards.
    mutating func add(_ bytes: Int64, at: Double) {
        if samples.count > 1, let last = samples.last, at - samples[samples.count - 2].at < Self.spacing {
            samples[samples.count - 1] = Sample(at: max(at, last.at), bytes: max(bytes, last.bytes))
        } else {
            let bytes = max(bytes, samples.last?.bytes ?? bytes)
            samples.append(Sample(at: max(at, samples.last?.at ?? at), bytes: bytes))
        }
        while samples.count > 2, samples[1].at < at - Self.window { samples.removeFirst() }
    }

    /// Bytes per second up to `now`; nil until there is half a second to judge by, or when nothing moves.
    func rate(at now: Double) -> Double? {
        guard let first = samples.first, let last = samples.last else { return nil }
        let span = max(now, last.at) - first.at
        let moved = last.bytes - first.bytes
        guard span >= 0.5, moved > 0 else { return nil }
        return Double(moved) / span
    }
}
