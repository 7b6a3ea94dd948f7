/// Which names in a folder are to be looked at again.
package enum NamesInFolder: Equatable, Sendable {
    case all
    /// Whether there is something of them or not.
    case some(Set<NodeName>)

    /// From here on one listing costs no more than a look for each name.
    package static let most = 64

    package mutating func formUnion(_ other: NamesInFolder) {
        guard case .some(var names) = self, case .some(let more) = other else { return self = .all }
        names.formUnion(more)
        self = names.count > Self.most ? .all : .some(names)
    }

    package func union(_ other: NamesInFolder) -> NamesInFolder {
        var both = self
        both.formUnion(other)
        return both
    }
}

extension Dictionary<Place, NamesInFolder> {
    /// Adds one name in its folder.
    package mutating func insert(_ place: Place) {
        guard !place.isRoot else { return }
        self[place.parent, default: .some([])].formUnion(.some([place.name]))
    }

    package mutating func formUnion(_ other: Self) { merge(other) { $0.union($1) } }
}
