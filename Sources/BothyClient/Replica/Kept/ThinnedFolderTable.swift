import BothyContract
import GRDB

/// The table `thinned_folders`: folders whose files were let go, because too much was kept here. The tree of folders is
/// always whole, so that every path to a folder leads there, and what is missing is known to be missing.
enum ThinnedFolderTable {
    static func insert(_ folder: LUID, in db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO thinned_folders (luid) VALUES (?)")
            .execute(arguments: [folder.value])
    }

    static func remove(_ folder: LUID, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM thinned_folders WHERE luid = ?").execute(arguments: [folder.value])
    }

    /// A link has told everything there is.
    static func removeAll(in db: Database) throws { try db.execute(sql: "DELETE FROM thinned_folders") }

    static func contains(_ folder: LUID, in db: Database) throws -> Bool {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT 1 FROM thinned_folders WHERE luid = ?"), arguments: [folder.value]) != nil
    }

    static func count(in db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM thinned_folders") ?? 0
    }

    /// Those among a folder and all that lie below it, in the trash or not.
    static func among(_ folder: LUID, in db: Database) throws -> [LUID] {
        guard try count(in: db) > 0 else { return [] }
        return try RemoteFileTable.folders(below: folder, in: db).filter { try contains($0, in: db) }
    }
}

/// What is in a folder was asked for, and was let go here.
struct FolderThinned: Error {
    var folder: LUID
}
