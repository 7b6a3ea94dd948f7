import BothyClient

extension Plan {
    /// How what is at a place stands by this plan. Whatever is neither planned for nor waiting is at rest, if it is known at all.
    package func status(of place: Place, in whereabouts: Whereabouts) -> ItemStatus {
        if let standing = standing[place] { return ItemStatus(standing.cause) }
        let item = whereabouts.item(at: place)
        // What a person is to choose they choose wherever it is by then.
        if let id = item?.remoteId, isConflict(about: id) { return ItemStatus(.conflict) }
        if let action = actions.first(where: { $0.places.contains(place) }) {
            return ItemStatus(.planned(action.reason))
        }
        if let id = item?.remoteId, let action = actions.first(where: { $0.step.remoteId == id }) {
            return ItemStatus(.planned(action.reason))
        }
        let others = item.map { whereabouts.otherPlaces(of: $0, than: place) } ?? []
        if let cause = others.lazy.compactMap(cause(at:)).first { return ItemStatus(cause) }
        for start in [place] + others {
            if let cause = causeAbove(start, item, in: whereabouts) { return ItemStatus(cause) }
        }
        guard let item, let agreed = item.agreed else { return ItemStatus(.unknown) }
        return ItemStatus(agreed == place || item.here == place ? .atRest : .unknown)
    }

    private func isConflict(about id: String) -> Bool {
        standing.values.contains { standing in
            guard case .conflict(_, let theirs) = standing else { return false }
            return theirs.id == id
        }
    }

    /// What the plan says of this very place.
    private func cause(at place: Place) -> ItemStatus.Cause? {
        if let standing = standing[place] { return standing.cause }
        return actions.first { $0.places.contains(place) }.map { .planned($0.reason) }
    }

    /// What the nearest folder above it, that says anything, makes of what is in it.
    ///
    /// - Parameter item: what is there, and goes where its folder goes; nil for nothing.
    private func causeAbove(
        _ place: Place, _ item: Whereabouts.Item?, in whereabouts: Whereabouts
    ) -> ItemStatus.Cause? {
        var folder = place
        while !folder.isRoot {
            folder = folder.parent
            if let standing = standing[folder], standing.coversWhatIsBelow { return standing.cause }
            guard item != nil else { continue }
            let id = whereabouts.item(at: folder)?.remoteId
            let taking = actions.first {
                $0.step.takesAlongWhatIsBelow && $0.places.contains(folder) && $0.step.remoteId == id
            }
            if let taking { return .along(folder, taking.reason) }
        }
        return nil
    }
}

extension Standing {
    fileprivate var coversWhatIsBelow: Bool {
        switch self {
        case .ignored: true
        case .held(let reason): reason != .guarded && reason != .justDeleted
        case .conflict, .unsynced: false
        }
    }
}
