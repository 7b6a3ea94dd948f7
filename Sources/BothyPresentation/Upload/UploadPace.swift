/// How fast bytes go, by what went in the last seconds: not so short that it trembles, not so long that it remembers a
/// stop.
///
/// Bytes may become known in large steps, two of them one after the other and nothing for long: a step counts over all of the time
/// since the one before it, and before there were three nothing is said.
struct UploadPace: Equatable, Sendable {
    private struct Step: Equatable {
        var at: Double
        var bytes: Int64
    }

    /// Seconds that count.
    private static let window = 8.0
    /// Steps that are kept.
    private static let most = 64
    private static let fewest = 3

    /// Moments at which there was more than before.
    private var steps = [Step]()
    /// Of all that there were.
    private var count = 0
    private var bytes: Int64?
    private var now = 0.0

    /// - Parameters:
    ///   - bytes: that went so far, all together.
    ///   - now: seconds, of any beginning.
    mutating func add(_ bytes: Int64, at now: Double) {
        self.now = now
        defer { self.bytes = bytes }
        guard let before = self.bytes, bytes != before else { return }
        // Something is sent again: what comes now is measured from here.
        guard bytes > before else { return (steps, count) = ([], 0) }
        count += 1
        if steps.count == Self.most { steps.removeFirst() }
        steps.append(Step(at: now, bytes: bytes))
        while steps.count > 2, steps[1].at < now - Self.window { steps.removeFirst() }
    }

    /// Bytes a second; nil while it cannot be told.
    var rate: Double? {
        guard count >= Self.fewest, let first = steps.first, let last = steps.last, now > first.at,
            last.bytes > first.bytes
        else { return nil }
        return Double(last.bytes - first.bytes) / (now - first.at)
    }
}
