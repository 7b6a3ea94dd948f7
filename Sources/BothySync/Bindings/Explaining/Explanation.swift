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
    /// What it lies in, where it is that which is held back.
    package var above: Place?
    /// Where it is here by now, of what both sides agreed on at this place.
    package var now: Place?
    /// Both versions, of a file that both sides changed, with where it is here.
    package var conflict: WatchedFolder.Conflict?
    /// What is not synced and stands in the place that is told of.
    package var standsThere: SpecialKind?
    /// What to type or do now: a sentence without its end.
    package var remedy: String
    package var here: LocalFacts?
    package var special: SpecialKind?
    package var onTheServer: RemoteFacts?
    package var agreed: SyncedFacts?
    /// What a guard holds back in the folder.
    package var sighting: Guard.Sighting?
    /// All that were read about the place, the newest first.
    package var history: [Decision]
}

extension Explanation {
    /// Decisions about one place that are told.
    package static let mostDecisions = 10
    /// Those that are read to find them, and where something went: it may have been saved, or tried, often since.
    package static let mostLookedThrough = 500

    /// The newest, which come first.
    package var decisions: [Decision] { Array(history.prefix(Self.mostDecisions)) }

    /// Both sides have made a file of this name, and never agreed on one.
    package var isOfTwoNewFiles: Bool { cause == .item(.conflict) && below == nil && agreed == nil }
}

extension BindingEngine {
    /// Looks at both sides anew, and tells of one place.
    ///
    /// - Parameter surroundings: told what else goes on around a file, by its place here and its id on the server where it has one.
    package func explain(
        _ place: Place,
        in surroundings: (_ place: Place, _ remoteId: String?) async throws -> Surroundings = { _, _ in Surroundings() }
    ) async throws -> Explanation {
        let decisions = try await store.decisions(about: place, in: binding, limit: Explanation.mostLookedThrough)
        let look = try await look()
        let whereabouts = Whereabouts(look.remote, look.local, look.synced, disk: knownTraits)
        let item = whereabouts.item(at: place)
        let now = item?.nowElsewhere(than: place)
        let status = look.plan.status(of: place, in: whereabouts, after: decisions)
        let conflict = look.plan.conflict(about: item, at: place)
        let theirs = conflict?.theirs.id ?? item?.remoteId
        let onTheServer = theirs.flatMap { look.remote.facts($0) } ?? look.remote.facts(at: place)
        var told = ExplainedCause.of(
            status.cause, failure: decisions.first?.trace.failure,
            in: try await surroundings(now ?? place, onTheServer?.id))
        let below = told == .item(.atRest) ? try await below(place, in: look) : nil
        if let below {
            let failure = try await store.decisions(about: below.place, in: binding, limit: 1).first?.trace.failure
            told = ExplainedCause.of(
                below.cause, failure: failure,
                in: try await surroundings(below.place, look.onTheServer(below.place)?.id))
        }
        let above = below == nil ? look.plan.holder(of: now ?? place, told) : nil
        let at = below?.place ?? above ?? told.newPlace ?? now ?? place
        return Explanation(
            state: told.state, cause: told, below: below.map { ($0.count, $0.place) }, above: above, now: now,
            conflict: told == .item(.conflict) && below == nil ? conflict : nil,
            standsThere: look.local.specials[at],
            remedy: try await remedy(of: told, at: at, in: look, isBelow: below != nil),
            here: look.local.facts(at: place), special: look.local.specials[place], onTheServer: onTheServer,
            agreed: item.flatMap(whereabouts.agreed), sighting: look.plan.sighting, history: decisions)
    }

    private func below(_ folder: Place, in look: Look) async throws -> Below? {
        let failed = look.plan.actions.isEmpty ? [] : try await store.failedLast(of: binding.id)
        return Below(folder, in: look.plan, failed: failed)
    }

    /// Of a folder that is at rest itself, what is not so in it.
    private struct Below {
        /// What needs a person first.
        var place: Place
        var cause: ItemStatus.Cause
        var count: Int

        /// Of what failed, and of what is planned, how much a person is needed: see `Standing.urgency`.
        private static let (urgencyOfFailed, urgencyOfPlanned) = (1, 2)

        /// - Parameter failed: what the last pass tried and could not do.
        init?(_ folder: Place, in plan: Plan, failed: Set<Place>) {
            func isBelow(_ place: Place) -> Bool { place != folder && place.isWithin(folder) }
            let waiting = plan.standing
                .filter { isBelow($0.key) && ItemStatus($0.value.cause).state != .ignored }
                .sorted { ($0.value.urgency, $0.key) < ($1.value.urgency, $1.key) }
            let planned = plan.actions.filter { !$0.step.isBookkeeping && $0.places.contains(where: isBelow) }
            let next = planned.first { $0.places.contains(where: failed.contains) } ?? planned.first
            let isFailed = next?.places.contains(where: failed.contains) ?? false
            let urgency = isFailed ? Self.urgencyOfFailed : Self.urgencyOfPlanned
            if let first = waiting.first, next == nil || first.value.urgency <= urgency {
                (place, cause) = (first.key, first.value.cause)
            } else if let next, let last = next.places.last(where: isBelow) {
                (place, cause) = (last, .planned(next.reason))
            } else {
                return nil
            }
            count = waiting.count + planned.count
        }
    }
}

extension BindingEngine.Look {
    /// What the server has of what is at a place here, wherever it is there; else what it has in that place.
    func onTheServer(_ place: Place) -> RemoteFacts? {
        if case .conflict(_, let theirs) = plan.standing[place] { return remote.facts(theirs.id) }
        return synced.facts(at: place).flatMap { remote.facts($0.remoteId) } ?? remote.facts(at: place)
    }
}

extension ExplainedCause {
    /// Where it is by now, of what was moved.
    fileprivate var newPlace: Place? { if case .item(.moved(let place)) = self { place } else { nil } }
}

extension ItemStatus.Cause {
    /// Of what is in no folder here that is synced.
    ///
    /// - Parameter remoteId: its id, where the server has it.
    package static func elsewhere(_ remoteId: String?) -> ItemStatus.Cause { remoteId == nil ? .outside : .onTheServer }
}

extension Plan {
    /// How what is at a place stands, by this plan and by what was done about it.
    ///
    /// - Parameter decisions: about it, the newest first.
    package func status(of place: Place, in whereabouts: Whereabouts, after decisions: [Decision]) -> ItemStatus {
        if place.isBothysOwn { return ItemStatus(.own) }
        var status = status(of: place, in: whereabouts)
        if status.cause == .unknown, let departure = Departure.from(place, decisions, in: whereabouts.synced) {
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

extension Plan {
    /// Both versions of what is at a place, where it waits for a person.
    fileprivate func conflict(about item: Whereabouts.Item?, at place: Place) -> WatchedFolder.Conflict? {
        let found = conflicts.first { $0.place == place || item?.remoteId == $0.theirs.id }
        return found.map { WatchedFolder.Conflict(place: item?.here ?? place, mine: $0.mine, theirs: $0.theirs) }
    }
}

extension Whereabouts.Item {
    /// Where it is here, of what was agreed on at a place and is at another by now.
    fileprivate func nowElsewhere(than place: Place) -> Place? { agreed == place && here != place ? here : nil }
}

extension Place {
    fileprivate var isBothysOwn: Bool {
        names.first?.text == PrivateNames.folder
    }
}

extension RemoteTree {
    /// By its names on the server, from the bound folder.
    func facts(at place: Place) -> RemoteFacts? { tree.node(at: place).map { self[$0] } }
}
