import BothyClient

extension BindingEngine {
    /// What came of a decision.
    package enum Decided: Sendable {
        case carriedOut(PassReport)
        /// Both changed the same lines, or they are no texts. Nothing is decided,
        case cannotBeMerged
        /// nor where there are other versions by now than the person saw.
        case changedSince
    }

    /// Passes in which a decision is carried out: its file may be elsewhere after the first one, where it was renamed on either side.
    private static let mostPassesToDecide = 3

    /// Does what a person decided about two versions of a file, and syncs the folder.
    package func decide(
        _ side: Choice.Side, about conflict: WatchedFolder.Conflict,
        tell: @escaping @Sendable (Decision) -> Void = { _ in }
    ) async throws -> Decided {
        let choice = Choice.keep(side, mine: conflict.mine.hash, theirs: conflict.theirs.checksum)
        var place = conflict.place
        var taken = [Decision]()
        for _ in 0..<Self.mostPassesToDecide {
            try await store.choose(choice, at: place, of: binding.id)
            var report = try await pass(tell: tell)
            taken += report.taken
            report.taken = taken
            guard let open = report.plan.conflicts.first(where: { $0.theirs.id == conflict.theirs.id }) else {
                return .carriedOut(report)
            }
            // What is not carried out by now is about another place, or about other versions.
            try await store.choose(nil, at: place, of: binding.id)
            guard open.mine.hash == conflict.mine.hash, open.theirs.checksum == conflict.theirs.checksum else {
                return .changedSince
            }
            place = open.place
        }
        return side == .merge ? .cannotBeMerged : .changedSince
    }
}
