import BothyClient
import BothySync

/// What `bothy sync --bring-back` has fetched again, to be told as that: to the pass that does it, it is new on the
/// server.
struct Returning: Sendable {
    /// What is in a folder of these comes with it.
    private var places: Set<Place> = []
    /// Files that have nothing in them here any more.
    private var emptied: Set<Place> = []

    init() {}

    /// - Parameter actions: what was to be done before.
    init(_ actions: [Action]) {
        for action in actions {
            if case .trashRemote(_, let place, _) = action.step { places.insert(place) }
            if action.empties { emptied.formUnion(action.places) }
        }
    }

    /// - Returns: nil of what does not come back by it.
    func words(of decision: Decision) -> String? {
        guard let place = decision.places.first else { return nil }
        if decision.action.reason == .conflictTheirsChosen, emptied.contains(place) {
            return "\(decision.act.words): it was emptied here, and is restored"
        }
        guard decision.action.reason == .createdThere, holds(place) else { return nil }
        return "\(decision.act.words): it was deleted here, and is restored"
    }

    private func holds(_ place: Place) -> Bool {
        var place = place
        while !place.isRoot {
            if places.contains(place) { return true }
            place = place.parent
        }
        return false
    }
}
