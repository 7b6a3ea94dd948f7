import BothyClient

/// How long each transfer that failed waits for its next try: longer and longer. A file that is saved more often than it can be sent waits
/// likewise.
struct TransferRests {
    private struct Rest {
        /// Tries in a row that came to nothing.
        var failures = 0
        /// In uptime, seconds; infinite for what a person has paused: that holds for these bytes.
        var until = 0.0
        var key: String?
        /// What the last try failed with, as it was told.
        var decision: Decision?
    }

    /// By what is fetched, or by where what is sent lies: its content may be another each time.
    private var rests = [String: Rest]()

    private static func subject(of action: Action) -> String? {
        if case .upload(let spot, _, _, _) = action.step { return "/\(spot.place.text)" }
        return LongTransfers.key(of: action)
    }

    /// How often it has come to nothing in a row.
    func failures(of action: Action) -> Int { Self.subject(of: action).flatMap { rests[$0]?.failures } ?? 0 }

    /// It failed, or was cut off since its file was saved again.
    mutating func begin(of action: Action, for seconds: Double, at uptime: Double) {
        guard let subject = Self.subject(of: action) else { return }
        var rest = rests[subject] ?? Rest()
        rest.failures += 1
        rest.until = uptime + seconds
        rest.key = LongTransfers.key(of: action)
        rest.decision = nil
        rests[subject] = rest
    }

    /// It came to its end.
    mutating func end(of action: Action) {
        if let subject = Self.subject(of: action) { rests[subject] = nil }
    }

    /// What its failure was told as holds until the next try.
    mutating func note(_ decision: Decision) {
        guard let subject = Self.subject(of: decision.action) else { return }
        rests[subject]?.decision = decision
    }

    func holds(_ action: Action, at uptime: Double) -> Bool {
        guard let rest = rest(of: action) else { return false }
        return rest.until > uptime && (rest.until.isFinite || rest.key == LongTransfers.key(of: action))
    }

    /// What it failed with, where it waits for its next try.
    func failure(of action: Action, at uptime: Double) -> Decision? {
        holds(action, at: uptime) ? rest(of: action)?.decision : nil
    }

    /// Seconds until the first of these may be tried again; nil where none waits.
    func secondsToNext(of actions: [Action], at uptime: Double) -> Double? {
        actions.filter { holds($0, at: uptime) }.compactMap { rest(of: $0)?.until }.filter(\.isFinite).min()
            .map { $0 - uptime }
    }

    private func rest(of action: Action) -> Rest? { Self.subject(of: action).flatMap { rests[$0] } }
}
