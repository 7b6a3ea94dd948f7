import BothyClient
import BothyContract
import Foundation
import GRDB

/// The table `bindings`.
enum BindingTable {
    static func all(in db: Database) throws -> [Binding] {
        try Row.fetchAll(db.cachedStatement(sql: "SELECT * FROM bindings ORDER BY created_at, binding_id"))
            .map(binding)
    }

    static func find(_ id: String, in db: Database) throws -> Binding? {
        try Row.fetchOne(db, sql: "SELECT * FROM bindings WHERE binding_id = ?", arguments: [id]).map(binding)
    }

    static func save(_ binding: Binding, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO bindings (binding_id, local_path, remote_id, remote_path, account_id, mark, root,
                    deletions, conflicts, exclude, link, is_linking, created_at, passed_at, failure, disk)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            binding.id, binding.localPath, binding.remoteId, binding.remotePath, binding.accountId, binding.mark,
            try JSONColumn.text(binding.root), binding.deletions.rawValue, binding.conflicts.rawValue,
            try JSONColumn.text(binding.exclude), binding.link, binding.isLinking, binding.createdAt.rfc3339,
            binding.passedAt?.rfc3339, try binding.failure.map(JSONColumn.text),
            try binding.disk.map(JSONColumn.text),
        ])
    }

    static func remove(_ id: String, in db: Database) throws {
        for table in [
            "bindings", "synced_nodes", "sync_passes", "sync_decisions", "sync_requests", "sync_choices", "sync_plans",
            "sync_rules", "local_trash", "trashed_nodes",
        ] {
            try db.execute(sql: "DELETE FROM \(table) WHERE binding_id = ?", arguments: [id])
        }
    }

    private static func binding(_ row: Row) throws -> Binding {
        let passed: String? = row["passed_at"]
        let failure: String? = row["failure"]
        let disk: String? = row["disk"]
        var binding = Binding(
            id: row["binding_id"], localPath: row["local_path"], remoteId: row["remote_id"],
            remotePath: row["remote_path"], accountId: row["account_id"], mark: row["mark"],
            root: try JSONColumn.read(LocalStamp.self, row["root"]),
            deletions: DeletionPolicy(rawValue: row["deletions"]) ?? .documents,
            conflicts: ConflictResolution(rawValue: row["conflicts"]) ?? .ask,
            exclude: try JSONColumn.read([String].self, row["exclude"]),
            createdAt: JSONColumn.moment(row["created_at"]))
        binding.link = row["link"]
        binding.isLinking = row["is_linking"]
        binding.passedAt = passed.map(JSONColumn.moment)
        binding.failure = try failure.map { try JSONColumn.read(ClientFailure.self, $0) }
        binding.disk = try disk.map { try JSONColumn.read(DiskTraits.self, $0) }
        return binding
    }
}

/// Values that no statement looks into, kept as JSON.
enum JSONColumn {
    /// A moment as this table wrote it.
    static func moment(_ text: String) -> Timestamp { Timestamp(rfc3339: text) ?? Timestamp(seconds: 0) }

    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try WireCoding.encodeStably(value), as: UTF8.self)
    }

    static func read<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try WireCoding.decode(type, from: Data(text.utf8))
    }
}
