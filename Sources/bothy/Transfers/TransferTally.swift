/// How the files of one command ended, counted. Pure.
struct TransferTally: Equatable, Sendable {
    var done = 0
    var unchanged = 0
    var skipped = 0
    var leftOut = 0
    var paused = 0
    var failed = 0
    var bytes: Int64 = 0
    /// Of what failed, was refused or waits; bounded by the number of exit statuses.
    private(set) var statuses: Set<ExitStatus> = []

    mutating func count(_ event: TransferDocument.Event, bytes: Int64 = 0, status: ExitStatus = .done) {
        switch event {
        case .done:
            done += 1
            self.bytes += bytes
        case .unchanged: unchanged += 1
        case .skipped: skipped += 1
        case .leftOut: leftOut += 1
        case .paused: paused += 1
        case .failed: failed += 1
        }
        if status != .done { statuses.insert(status) }
    }

    /// One that waited is over, and counted anew as what it is now.
    mutating func waitsNoMore() { paused -= 1 }

    /// Skipping is what a person asked for. What cannot be taken was asked for too, and was not done.
    var status: ExitStatus {
        let bad = statuses.union(leftOut > 0 ? [.failed] : [])
        guard !bad.isEmpty else { return .done }
        let order: [ExitStatus] = [.interrupted, .signInNeeded, .failed, .notThereOrInConflict, .wrongUsage]
        let worst = order.first(where: bad.contains) ?? .failed
        if worst == .interrupted || worst == .signInNeeded { return worst }
        return done + unchanged > 0 ? .partlyDone : worst
    }

    /// «3 files, 1.2 MiB» and what else there is to say.
    func words(seconds: Double) -> String {
        var parts = ["\(Self.files(done)), \(ByteText.text(bytes)) in \(DurationText.words(seconds))"]
        if unchanged > 0 { parts.append("\(unchanged) unchanged") }
        if skipped > 0 { parts.append("\(skipped) skipped") }
        if leftOut > 0 { parts.append("\(leftOut) left out") }
        if paused > 0 { parts.append("\(paused) waiting") }
        if failed > 0 { parts.append("\(failed) failed") }
        return parts.joined(separator: ", ")
    }

    static func files(_ count: Int) -> String { count == 1 ? "1 file" : "\(count) files" }

    func document(seconds: Double) -> TransferSummaryDocument {
        TransferSummaryDocument(
            done: done, unchanged: unchanged, skipped: skipped, leftOut: leftOut, paused: paused, failed: failed,
            bytes: bytes, seconds: (seconds * 1000).rounded() / 1000)
    }
}
