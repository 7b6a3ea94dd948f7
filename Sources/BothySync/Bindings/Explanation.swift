import BothyClient
import BothyContract

/// Why something in a bound folder is as it is, and what to do about it.
package struct Explanation: Sendable {
    /// The names are printed for scripts and never change.
    package var state: ItemStatus.State
    /// A sentence for a person, without its end.
    package var cause: String
    /// What to do now: a sentence without its end.
    package var remedy: String
    package var here: LocalFacts?
    package var special: SpecialKind?
    package var onTheServer: RemoteFacts?
    package var agreed: SyncedFacts?
    /// The newest first.
    package var decisions: [Decision]
}

extension BindingEngine {
    /// Decisions about one place that are told.
    private static let mostDecisions = 10

    /// Looks at both sides anew, and tells of one place.
    package func explain(_ place: Place) async throws -> Explanation {
        let decisions = try await store.decisions(about: place, of: binding.id, limit: Self.mostDecisions)
        let look = try await look()
        let status = Self.status(of: place, in: look)
        let agreed = look.synced.facts(at: place)
        let there = agreed.flatMap { look.remote.facts($0.remoteId) }
        var explanation = Explanation(
            state: status.state, cause: status.words, remedy: status.remedy, here: look.local.facts(at: place),
            special: look.local.specials[place], onTheServer: there ?? look.remote.facts(at: place), agreed: agreed,
            decisions: decisions)
        if status.state == .pending, let failure = decisions.first?.trace.failure {
            explanation.state = .failed
            explanation.cause = "the last try failed: \(failure.words)"
            explanation.remedy = failure.remedy
        }
        return explanation
    }

    private static func status(of place: Place, in look: Look) -> ItemStatus {
        let status = look.plan.status(of: place, in: look.synced)
        guard let sighting = look.plan.sighting else { return status }
        switch sighting {
        // The rest of the folder goes on.
        case .manyDeletions: return status
        case .rootVanished, .rootUnmounted, .rootReplaced, .rootEmptied, .remoteRootLost:
            return ItemStatus(.guarded(sighting))
        }
    }
}

extension RemoteTree {
    /// By its names on the server, from the bound folder.
    func facts(at place: Place) -> RemoteFacts? { tree.node(at: place).map { self[$0] } }
}
