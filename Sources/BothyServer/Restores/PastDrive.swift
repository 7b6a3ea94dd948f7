import BothyContract

/// A drive as it was after one of its changes.
///
/// Used within one transaction; a page of hundreds of nodes asks for each folder once.
struct PastDrive {
    /// The last change that had happened.
    let sequence: Int64

    private let history: NodeHistory
    private let revisions: RevisionTable
    private var places: [String: NodePlace?] = [:]

    init(_ db: any SQLConnection, drive: Int64, after sequence: Int64) {
        self.sequence = sequence
        history = NodeHistory(db, drive: drive)
        revisions = RevisionTable(db, drive: drive)
    }

    /// Where a node was; nil where it was not made yet, or deleted for good already.
    mutating func place(of id: String) throws -> NodePlace? {
        if let known = places[id] { return known }
        var place = try history.formerPlace(of: id, after: sequence) ?? history.place(of: id)
        if let serial = place?.serial, serial > sequence { place = nil }
        places.updateValue(place, forKey: id)
        return place
    }

    /// The nodes from `id` itself up to the root with their places; nil where it, or a folder above it, was not there.
    mutating func path(from id: String) throws -> Path? {
        var path = Path()
        var next: String? = id
        while let current = next {
            guard let place = try place(of: current) else { return nil }
            path.ids.append(current)
            path.isTrashed = path.isTrashed || place.trashed
            if place.parentId != nil { path.names.append(place.name) }
            next = place.parentId
        }
        return path.ids.last == File.rootId ? path : nil
    }

    /// The revision that was a file's head.
    func head(of id: String) throws -> RevisionRow? { try revisions.head(of: id, after: sequence) }

    struct Path {
        var ids: [String] = []
        /// Without the root's.
        var names: [String] = []
        /// It, or a folder above it, was in the trash.
        var isTrashed = false

        var text: String { "/" + names.reversed().joined(separator: "/") }
    }
}
