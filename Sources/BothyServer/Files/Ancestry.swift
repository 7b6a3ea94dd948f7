import BothyContract

/// Walks from nodes up to the root, and remembers what it passed: a page of a thousand files asks for each folder once.
///
/// Used within one transaction.
package struct Ancestry {
    /// Whether a node counts.
    package enum Standing: Sendable {
        case live
        /// It, or a folder that it lies in, is in the trash.
        case trashed
        /// It is not there, or it, or a folder that it lies in, was deleted for good.
        case gone
    }

    package struct Link: Sendable {
        package var parentId: String?
        package var name: String
        package var serial: Int64
        package var isFolder: Bool
        package var trashed: Bool
        package var purged: Bool
    }

    private let db: any SQLConnection
    private let drive: Int64
    private var links: [String: Link?] = [:]
    private var standings: [String: Standing] = [:]

    package init(_ db: any SQLConnection, drive: Int64) {
        self.db = db
        self.drive = drive
    }

    /// Takes note of a row that was read already, and is not cut off, so that it is not asked for again.
    package mutating func know(_ row: FileRow) {
        links[row.id] = Link(
            parentId: row.parentId, name: row.name, serial: row.serial, isFolder: row.isFolder,
            trashed: row.trash != nil, purged: false)
    }

    package mutating func link(_ id: String) throws -> Link? {
        if let known = links[id] { return known }
        let row = try db.first(
            "SELECT parent_id, name, serial, kind, trashed, purged FROM nodes WHERE drive_id = ? AND node_id = ?",
            [drive.sql, id.sql])
        let link = row.map {
            Link(
                parentId: $0.optional(0, SQLRow.string), name: $0.string(1), serial: $0.int64(2),
                isFolder: $0.int64(3) == FileRow.folderKind, trashed: $0.bool(4), purged: $0.bool(5))
        }
        links.updateValue(link, forKey: id)
        return link
    }

    package mutating func standing(of id: String) throws -> Standing {
        var path = [String]()
        var standing: Standing?
        var next: String? = id
        while let current = next, standing == nil {
            if let known = standings[current] {
                standing = known
                break
            }
            guard let link = try link(current), !link.purged else {
                standings[current] = .gone
                standing = .gone
                break
            }
            path.append(current)
            next = link.parentId
        }
        var result = standing ?? .live
        for node in path.reversed() {
            if result == .live, links[node]??.trashed == true { result = .trashed }
            standings[node] = result
        }
        return result
    }

    /// The ids from `id` itself up to the root.
    package mutating func path(from id: String) throws -> [String] {
        var path = [String]()
        var next: String? = id
        while let current = next, let link = try link(current) {
            path.append(current)
            next = link.parentId
        }
        return path
    }

    /// Where a node lies, from the root: `/docs/report.pdf`.
    package mutating func writtenPath(of id: String) throws -> String {
        let names = try path(from: id).dropLast().reversed().map { links[$0]??.name ?? "" }
        return "/" + names.joined(separator: "/")
    }
}
