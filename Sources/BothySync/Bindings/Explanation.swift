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
    ///
    /// - Parameter surroundings: told what else goes on around the file, by its id on the server where it has one.
    package func explain(
        _ place: Place, in surroundings: (_ remoteId: String?) async throws -> Surroundings = { _ in Surroundings() }
    ) async throws -> Explanation {
        let decisions = try await store.decisions(about: place, in: binding, limit: Self.mostDecisions)
        let look = try await look()
        let status = Self.status(of: place, in: look, decisions)
        let agreed = look.synced.facts(at: place)
        let there = agreed.flatMap { look.remote.facts($0.remoteId) } ?? look.remote.facts(at: place)
        let cause = ExplainedCause.of(
            status.cause, failure: decisions.first?.trace.failure, in: try await surroundings(there?.id))
        return Explanation(
            state: cause.state, cause: cause.words, remedy: cause.remedy, here: look.local.facts(at: place),
            special: look.local.specials[place], onTheServer: there, agreed: agreed, decisions: decisions)
    }

    private static func status(of place: Place, in look: Look, _ decisions: [Decision]) -> ItemStatus {
        if place.isBothysOwn { return ItemStatus(.own) }
        var status = look.plan.status(of: place, in: look.synced)
        if status.cause == .unknown, let departure = Departure.from(place, decisions) {
            status = ItemStatus(departure.cause)
        }
        guard let sighting = look.plan.sighting else { return status }
        switch sighting {
        // The rest of the folder goes on.
        case .manyDeletions: return status
        case .rootVanished, .rootUnmounted, .rootReplaced, .rootEmptied, .remoteRootLost:
            return ItemStatus(.guarded(sighting))
        }
    }
}

extension Place {
    fileprivate var isBothysOwn: Bool {
        guard let first = names.first, let last = names.last else { return false }
        return first.text == PrivateNames.folder || PrivateNames.holds(last.text, in: parent)
    }
}

/// How something left a place, by what was decided about it.
enum Departure: Equatable {
    case deleted(Reason)
    case moved(to: Place)

    /// - Parameter decisions: the newest first.
    static func from(_ place: Place, _ decisions: [Decision]) -> Departure? {
        for decision in decisions where decision.trace.failure == nil {
            guard let (to, from) = decision.wayOut, place.isWithin(from) else { continue }
            guard let to else { return .deleted(decision.action.reason) }
            return .moved(to: Place(to.names + place.names.dropFirst(from.depth)))
        }
        return nil
    }

    var cause: ItemStatus.Cause {
        switch self {
        case .deleted(let reason): .gone(reason)
        case .moved(let place): .moved(place)
        }
    }
}

extension Decision {
    /// Where it took what stood at a place; `to` is nil where it took it away.
    fileprivate var wayOut: (to: Place?, from: Place)? {
        switch trace.reversal {
        case .moveHere(let from, let to, _)?: return (to, from)
        case .exchangeHere(let at, _, nil)?, .removeFolderHere(let at)?: return (nil, at)
        case .some: return nil
        case nil: break
        }
        switch action.step {
        case .moveRemote, .moveLocal, .setAside:
            let places = action.step.places
            return places[0] == places[1] ? nil : (places[0], places[1])
        case .trashRemote(_, let at, _), .trashLocal(_, _, let at, _), .forget(_, let at): return (nil, at)
        default: return nil
        }
    }
}

extension RemoteTree {
    /// By its names on the server, from the bound folder.
    func facts(at place: Place) -> RemoteFacts? { tree.node(at: place).map { self[$0] } }
}
