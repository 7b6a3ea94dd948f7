import BothyContract
import GRDB

/// What the cache holds in bytes, and letting go of some of it.
///
/// What is let go is the files of whole folders: what they are called, how large they are. The folders themselves stay.
/// A thing whose row goes loses its LUID too, and gets a new one when it is heard of again: nothing here speaks of it.
struct KeptMetadata {
    let db: Database

    /// Bytes of the database that are in use.
    static func bytes(in db: Database) throws -> Int64 {
        let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        return (pages - (try free(in: db))) * (try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }

    private static func free(in db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
    }

    /// Free pages are used again before the file grows; beyond this share of it, they are given back to the disk.
    static func isMostlyFree(_ db: Database) throws -> Bool {
        try free(in: db) * 4 > (try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0)
    }

    /// Folders with files that could be let go, with what that would free.
    ///
    /// - Parameter staying: folders whose files stay, besides those of which the journal or a pin speaks.
    func shelves(staying: Set<LUID>) throws -> [Eviction.Shelf<LUID>] {
        let rows = max(1, try RemoteFileTable.count(in: db))
        let each = max(1, try Self.bytes(in: db) / Int64(rows))
        let stays = staying.union(try spokenOf())
        let uses = try UseTable.all(in: db)
        return try RemoteFileTable.countsOfFiles(in: db).map { folder, files in
            Eviction.Shelf(
                id: folder, bytes: each * Int64(files), lastUse: uses[UseTable.Thing.folder(folder).name] ?? 0,
                stays: stays.contains(folder))
        }
    }

    /// Folders in which something waits, is in a conflict, or is pinned; and what lies in the trash, by which it is known
    /// again what was deleted.
    private func spokenOf() throws -> Set<LUID> {
        var folders = Set<LUID>()
        for operation in try OperationTable.all(in: db) {
            folders.formUnion(operation.scope)
            folders.formUnion(operation.places.map(\.parent))
            if let parent = try RemoteFileTable.find(operation.subject, in: db)?.parent { folders.insert(parent) }
        }
        for luid in try RemoteFileTable.trashedFolders(in: db) {
            folders.formUnion(try RemoteFileTable.folders(below: luid, in: db))
        }
        for luid in try PinTable.all(in: db) {
            guard let file = try RemoteFileTable.find(luid, in: db) else { continue }
            if file.isFolder {
                folders.formUnion(try RemoteFileTable.folders(below: luid, in: db))
            } else if let parent = file.parent {
                folders.insert(parent)
            }
        }
        return folders
    }

    /// What has a star stays, to be listed without a connection.
    func letGo(_ folder: LUID) throws {
        try ThinnedFolderTable.insert(folder, in: db)
        try UseTable.forget(.folder(folder), in: db)
        let files = try RemoteFileTable.files(of: folder, in: db)
        for luid in files {
            try RemoteFileTable.remove(luid, in: db)
            try LuidTable.forget(luid, in: db)
        }
    }
}
