import BothyContract
import GRDB

/// Folders in the orders that screens ask for. An index holds what is listed by name, so that a page costs its rows, however
/// large the folder is, and skipping a walk of the index; sorting by time or size reads the folder.
extension RemoteFileTable {
    private static let listed = "parent = ? AND trashed_ms IS NULL AND hidden = 0"

    /// Neighbours in a folder's order, without what is in the trash or hidden: folders first, then as ``FolderPlace`` has it.
    ///
    /// - Parameter start: how many are left out before them.
    static func listed(
        in parent: LUID, order: FileOrder, from start: Int, most: Int, in db: Database
    ) throws -> [LUID] {
        var found = try neighbours(parent, folderRank, order, from: start, most: most, in: db)
        guard found.count < most else { return found }
        // Some folders were found: then no file is skipped.
        let skipped = found.isEmpty ? max(0, start - (try countOfFolders(in: parent, in: db))) : 0
        found += try neighbours(parent, fileRank, order, from: skipped, most: most - found.count, in: db)
        return found
    }

    private static func neighbours(
        _ parent: LUID, _ rank: Int, _ order: FileOrder, from start: Int, most: Int, in db: Database
    ) throws -> [LUID] {
        let way = order.isDescending ? " DESC" : ""
        let columns = order.columns.map { $0 + way }.joined(separator: ", ")
        return try Int64.fetchAll(
            db.cachedStatement(
                sql: "SELECT luid FROM remote_files WHERE \(listed) AND rank = ? ORDER BY \(columns) LIMIT ? OFFSET ?"),
            arguments: [parent.value, rank, most, start]
        ).map(LUID.init)
    }

    /// Kept with each write: nothing is counted.
    static func countListed(in parent: LUID, in db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT listed FROM folder_counts WHERE folder = ?"), arguments: [parent.value])
            ?? 0
    }

    private static func countOfFolders(in parent: LUID, in db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(
                sql: "SELECT count(*) FROM remote_files WHERE \(listed) AND rank = \(folderRank)"),
            arguments: [parent.value]) ?? 0
    }

    /// The same, all of it, in no order.
    static func listed(in parent: LUID, in db: Database) throws -> [LUID] {
        try Int64.fetchAll(
            db.cachedStatement(sql: "SELECT luid FROM remote_files WHERE \(listed) AND rank IN (0, 1)"),
            arguments: [parent.value]
        ).map(LUID.init)
    }
}

extension FileOrder {
    fileprivate var columns: [String] {
        switch self {
        case .name, .nameDescending: ["name_key", "name"]
        case .modifiedAt, .modifiedAtDescending: ["modified_s", "modified_ns", "name"]
        case .size, .sizeDescending: ["size", "name"]
        }
    }
}
