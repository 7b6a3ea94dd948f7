import BothyContract

/// A page of what changed, each entity once, at its newest state.
package struct ChangePage: Sendable {
    package var changes: [Change]
    package var cursor: String
    package var hasMore: Bool

    /// Reads what came after `cursor`, in commit order; everything there is, parents first, for nil.
    ///
    /// - Throws: `cursor_expired`.
    package static func read(
        after cursor: String?, limit: Int, in db: any SQLConnection, drive: Int64
    ) throws -> ChangePage {
        let log = ChangeLog(db, drive: drive)
        guard let cursor else {
            return try LinkPage(db, drive: drive).read(LinkCursor(start: try log.head(), afterSerial: -1), limit: limit)
        }
        if let link = LinkCursor(text: cursor) {
            try log.validate(link.start)
            return try LinkPage(db, drive: drive).read(link, limit: limit)
        }
        return try read(after: try log.validate(cursor), limit: limit, log, db, drive)
    }

    private static func read(
        after cursor: ChangeCursor, limit: Int, _ log: ChangeLog, _ db: any SQLConnection, _ drive: Int64
    ) throws -> ChangePage {
        var entries = try log.entries(after: cursor.sequence, limit: limit + 1)
        let hasMore = entries.count > limit
        if hasMore { entries.removeLast() }
        var newest = [String: Int64]()
        for entry in entries { newest[entry.kind.rawValue + entry.entityId] = entry.sequence }
        let states = EntityStates(db, drive: drive)
        let changes = try entries.filter { newest[$0.kind.rawValue + $0.entityId] == $0.sequence }
            .map { try states.change($0.kind, $0.entityId) }
        let last = entries.last.map { ChangeCursor(epoch: cursor.epoch, sequence: $0.sequence, tag: $0.tag) }
        return ChangePage(changes: changes, cursor: (last ?? cursor).text, hasMore: hasMore)
    }
}

/// What entities are now, within one transaction.
final class EntityStates {
    private let files: FileTable
    private var ancestry: Ancestry

    init(_ db: any SQLConnection, drive: Int64) {
        files = FileTable(db, drive: drive)
        ancestry = Ancestry(db, drive: drive)
    }

    func change(_ kind: Change.Kind, _ id: String) throws -> Change {
        guard kind == .file else { return Change(kind: kind, id: id, removed: false) }
        guard let row = try files.find(id) else { return Change(kind: .file, id: id, removed: true) }
        return try change(row)
    }

    func change(_ row: FileRow) throws -> Change {
        ancestry.know(row)
        return switch try ancestry.standing(of: row.id) {
        case .live: Change(kind: .file, id: row.id, removed: false, file: row.file(trashed: false))
        case .trashed: Change(kind: .file, id: row.id, removed: false, file: row.file(trashed: true))
        case .gone: Change(kind: .file, id: row.id, removed: true)
        }
    }

    /// The ids from the node's folder up to the root with their serials.
    func folders(above row: FileRow) throws -> [(id: String, serial: Int64)] {
        guard let parentId = row.parentId else { return [] }
        return try ancestry.path(from: parentId).map { ($0, try ancestry.link($0)?.serial ?? 0) }
    }
}
