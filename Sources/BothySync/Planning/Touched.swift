/// What may not be at rest: whatever else there is, the last plan found at rest, and nothing was told of it since.
package struct Touched: Equatable, Sendable {
    /// Where on the disk something is new, another, or gone; and where something stood without being at rest.
    package var places: Set<Place> = []
    /// What was told by the server, or written down as agreed on, by its id there.
    package var ids: Set<String> = []

    package init(places: Set<Place> = [], ids: Set<String> = []) {
        self.places = places
        self.ids = ids
    }

    package static let nothing = Touched()

    package var isEmpty: Bool { places.isEmpty && ids.isEmpty }

    package mutating func formUnion(_ other: Touched) {
        places.formUnion(other.places)
        ids.formUnion(other.ids)
    }
}

extension Comparison {
    /// All that is not at rest: whatever is done about it, or not.
    var unsettled: Touched {
        var unsettled = Touched()
        for item in items where item.fate != .keep || item.isBusy {
            if let node = item.local { unsettled.places.insert(local.tree.place(of: node)) }
            if let node = item.remote { unsettled.ids.insert(remote[node].id) }
            if let node = item.synced { unsettled.ids.insert(synced[node].remoteId) }
        }
        for node in leftOutHere { unsettled.places.insert(local.tree.place(of: node)) }
        for node in leftOutThere { unsettled.ids.insert(remote[node].id) }
        return unsettled
    }
}
