import BothyClient
import BothyContract
import Foundation
import GRDB

/// The table `untied_folders`: folders that were synced once. What was agreed on of them stays for a while, so that what was
/// edited meanwhile is an edit, and no conflict, where such a folder is linked again with the same one.
enum UntiedFolderTable {
    /// Seconds after which what was agreed on is forgotten: 30 days, as with what lies in the local trash.
    static let lifetime: Int64 = 30 * 24 * 3600

    static func note(_ binding: Binding, at now: Timestamp, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO untied_folders (binding_id, account_id, remote_id, root, untied_at)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [
                binding.id, binding.accountId, binding.remoteId, try JSONColumn.text(binding.root), now.rfc3339,
            ])
    }

    /// The binding under whose id there is what was agreed on of a directory and a folder on the server, when `binding` was made of
    /// them; nil where they were not linked lately. Another directory of its name is another.
    static func find(_ binding: Binding, in db: Database) throws -> String? {
        try all(in: db).first { $0.isOf(binding) && !$0.isOver(at: binding.createdAt) }?.bindingId
    }

    /// What was agreed on under the id of `former` is agreed on of a binding.
    static func adopt(_ former: String, by binding: String, in db: Database) throws {
        try db.execute(
            sql: "UPDATE synced_nodes SET binding_id = ? WHERE binding_id = ?", arguments: [binding, former])
        try remove(former, in: db)
    }

    /// Forgets those that are too old, and those of a directory that was linked again as `binding` and unlinked.
    static func prune(beside binding: Binding, at now: Timestamp, in db: Database) throws {
        for untied in try all(in: db) where untied.isOver(at: now) || untied.isOf(binding) {
            try SyncedNodeTable.removeAll(of: untied.bindingId, in: db)
            try remove(untied.bindingId, in: db)
        }
    }

    private static func remove(_ bindingId: String, in db: Database) throws {
        try db.execute(sql: "DELETE FROM untied_folders WHERE binding_id = ?", arguments: [bindingId])
    }

    private static func all(in db: Database) throws -> [UntiedFolder] {
        try Row.fetchAll(db, sql: "SELECT * FROM untied_folders").map { row in
            UntiedFolder(
                bindingId: row["binding_id"], accountId: row["account_id"], remoteId: row["remote_id"],
                root: try JSONColumn.read(LocalStamp.self, row["root"]),
                untiedAt: JSONColumn.moment(row["untied_at"]))
        }
    }
}

private struct UntiedFolder {
    var bindingId: String
    var accountId: String
    var remoteId: String
    var root: LocalStamp
    var untiedAt: Timestamp

    /// Whether the same directory was linked with the same folder.
    func isOf(_ binding: Binding) -> Bool {
        accountId == binding.accountId && remoteId == binding.remoteId && root.isSameInode(as: binding.root)
    }

    func isOver(at now: Timestamp) -> Bool { now.seconds(since: untiedAt) > UntiedFolderTable.lifetime }
}
