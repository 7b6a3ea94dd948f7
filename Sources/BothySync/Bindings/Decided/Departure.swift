import BothyClient
import BothyContract

/// How something left a place, by what was decided about it.
enum Departure: Equatable {
    case deleted(Reason)
    case moved(to: Place)

    /// - Parameters:
    ///   - decisions: the newest first.
    ///   - synced: what both sides have now.
    static func from(_ place: Place, _ decisions: [Decision], in synced: SyncedTree) -> Departure? {
        let done = decisions.filter { $0.trace.failure == nil }
        let taken = departure(from: place, in: done)
        if let found = afterArriving(at: place, done[..<(taken ?? done.endIndex)], in: synced) { return found }
        guard let first = taken else { return nil }
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

    /// What became of the file that came to a place last, where no decision tells how it left: both sides had moved it away before
    /// that was decided, and what was done then went from where this device had it.
    ///
    /// - Parameter done: since something left that place, the newest first.
    private static func afterArriving(
        at place: Place, _ done: ArraySlice<Decision>, in synced: SyncedTree
    ) -> Departure? {
        guard let arrival = done.firstIndex(where: { $0.places[0] == place }),
            let id = done[arrival].trace.remoteId ?? done[arrival].action.step.remoteId
        else { return nil }
        if let node = synced.node(id) {
            let now = synced.tree.place(of: node)
            return now == place ? nil : .moved(to: now)
        }
        let end = done[..<arrival].first { decision in
            decision.trace.remoteId == id && decision.wayOut.map { $0.to == nil } ?? false
        }
        return end.map { .deleted($0.action.reason) }
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
