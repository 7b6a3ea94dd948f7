import BothyClient
import BothyContract

/// Why something in a bound folder is as it is, and what to do about it.
package struct Explanation: Sendable {
    /// The names are printed for scripts and never change.
    package var state: ItemStatus.State
    /// Of the place itself, or of one below it.
    package var cause: ExplainedCause
    /// Of a folder that is at rest itself: how many things in it are not, and which of them is told of.
    package var below: (count: Int, place: Place)?
    /// What to type or do now: a sentence without its end.
    package var remedy: String
    package var here: LocalFacts?
    package var special: SpecialKind?
    package var onTheServer: RemoteFacts?
    package var agreed: SyncedFacts?
    /// What a guard holds back in the folder.
    package var sighting: Guard.Sighting?
    /// The newest first.
    package var decisions: [Decision]
}

extension BindingEngine {
    /// Decisions about one place that are told.
    private static let mostDecisions = 10
    /// Those that are read to find where something went: it may have been saved often since.
    private static let mostLookedThrough = 500

    /// Looks at both sides anew, and tells of one place.
    ///
    /// - Parameter surroundings: told what else goes on around the file, by its id on the server where it has one.
    package func explain(
        _ place: Place, in surroundings: (_ remoteId: String?) async throws -> Surroundings = { _ in Surroundings() }
    ) async throws -> Explanation {
        let decisions = try await store.decisions(about: place, in: binding, limit: Self.mostLookedThrough)
        let look = try await look()
        let status = look.plan.status(of: place, in: look.synced, after: decisions)
        let agreed = look.synced.facts(at: place)
        let there = agreed.flatMap { look.remote.facts($0.remoteId) } ?? look.remote.facts(at: place)
        let cause = ExplainedCause.of(
            status.cause, failure: decisions.first?.trace.failure, in: try await surroundings(there?.id))
        let below = cause == .item(.atRest) ? Below(place, in: look.plan) : nil
        let told = below.map { ExplainedCause.item($0.cause) } ?? cause
        let at = below?.place ?? told.newPlace ?? place
        let file = at.isRoot ? binding.localPath : "\(binding.localPath)/\(at.text)"
        return Explanation(
            state: told.state, cause: told, below: below.map { ($0.count, $0.place) },
            remedy: RemedyWords.filled(told.remedy, folder: binding.localPath, file: file),
            here: look.local.facts(at: place), special: look.local.specials[place], onTheServer: there, agreed: agreed,
            sighting: look.plan.sighting, decisions: Array(decisions.prefix(Self.mostDecisions)))
    }

    /// Of a folder that is at rest itself, what is not so in it.
    private struct Below {
        /// What needs a person first.
        var place: Place
        var cause: ItemStatus.Cause
        var count: Int

        init?(_ folder: Place, in plan: Plan) {
            func isBelow(_ place: Place) -> Bool { place != folder && place.isWithin(folder) }
            let waiting = plan.standing
                .filter { isBelow($0.key) && $0.value.isTold && ItemStatus($0.value.cause).state != .ignored }
                .sorted { ($0.value.urgency, $0.key) < ($1.value.urgency, $1.key) }
            let planned = plan.actions.filter { !$0.step.isBookkeeping && $0.places.contains(where: isBelow) }
            guard let cause = waiting.first?.value.cause ?? planned.first.map({ .planned($0.reason) }),
                let place = waiting.first?.key ?? planned.first?.places.last
            else { return nil }
            self.place = place
            self.cause = cause
            count = waiting.count + planned.count
        }
    }
}

extension ExplainedCause {
    /// Where it is by now, of what was moved.
    fileprivate var newPlace: Place? { if case .item(.moved(let place)) = self { place } else { nil } }
}

extension ItemStatus.Cause {
    /// Of what is in no folder here that is kept in step.
    ///
    /// - Parameter remoteId: its id, where the server has it.
    package static func elsewhere(_ remoteId: String?) -> ItemStatus.Cause { remoteId == nil ? .outside : .onTheServer }
}

extension Plan {
    /// How what is at a place stands, by this plan and by what was done about it.
    ///
    /// - Parameter decisions: about it, the newest first.
    package func status(of place: Place, in synced: SyncedTree, after decisions: [Decision]) -> ItemStatus {
        if place.isBothysOwn { return ItemStatus(.own) }
        var status = status(of: place, in: synced)
        if status.cause == .unknown, let departure = Departure.from(place, decisions, in: synced) {
            status = ItemStatus(departure.cause)
        }
        guard let sighting else { return status }
        switch sighting {
        // The rest of the folder goes on.
        case .manyDeletions: return place.isRoot ? ItemStatus(.guarded(sighting)) : status
        case .rootVanished, .rootUnmounted, .rootReplaced, .rootEmptied, .remoteRootLost, .linkTakenBack:
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

    /// - Parameters:
    ///   - decisions: the newest first.
    ///   - synced: what both sides have now.
    static func from(_ place: Place, _ decisions: [Decision], in synced: SyncedTree) -> Departure? {
        let done = decisions.filter { $0.trace.failure == nil }
        guard let first = departure(from: place, in: done) else { return nil }
        var now = place
        var last = done[first]
        // Onwards from there, each decision once: what moved in a circle ends somewhere.
        for decision in done[...first].reversed() where decision.takes(now) {
            guard let (to, from) = decision.wayOut else { continue }
            guard let to else { return .deleted(decision.action.reason) }
            now = Place(to.names + now.names.dropFirst(from.depth))
            last = decision
        }
        // What took it further may have been about a folder above it alone, or long ago.
        if let id = last.trace.remoteId, let to = last.wayOut?.to {
            guard let node = synced.node(id) else { return synced.node(at: now) == nil ? nil : .moved(to: now) }
            now = Place(synced.tree.place(of: node).names + now.names.dropFirst(to.depth))
        }
        return now == place ? nil : .moved(to: now)
    }

    /// Which decision took away what was at a place last. A folder above it took along only what was in it still.
    private static func departure(from place: Place, in decisions: [Decision]) -> Int? {
        var folder: Int?
        for (index, decision) in decisions.enumerated() {
            if decision.takes(place) {
                if decision.wayOut?.from == place { return index }
                folder = folder ?? index
            } else if decision.places[0] == place, let folder {
                return folder
            }
        }
        return folder
    }

    var cause: ItemStatus.Cause {
        switch self {
        case .deleted(let reason): .gone(reason)
        case .moved(let place): .moved(place)
        }
    }
}

extension Decision {
    /// Whether what stood at a place left it by this, by itself or with a folder above it.
    fileprivate func takes(_ place: Place) -> Bool { wayOut.map { place.isWithin($0.from) } ?? false }

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
