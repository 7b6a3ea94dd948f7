import BothyClient
import BothyContract
import Foundation
import GRDB

/// What of a binding is written down: who changes one part overwrites nothing that others have changed meanwhile.
package enum BindingPart: CaseIterable, Sendable {
    /// What a person chose: policies, and what is left out.
    case choices
    /// Whether the two sides are linked, and to which state of the replica.
    case link
    case remotePath, disk, diskNumber
    /// What the last pass came to.
    case outcome
}

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
                    deletions, conflicts, exclude, link, is_linking, created_at, passed_at, failure, disk, largest_file,
                    left_out_endings, waits, is_link_taken_back, disk_number)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            binding.id, binding.localPath, binding.remoteId, binding.remotePath, binding.accountId, binding.mark,
            try JSONColumn.text(binding.root), binding.deletions.rawValue, binding.conflicts.rawValue,
            try JSONColumn.text(binding.leavesOut.patterns), binding.link, binding.isLinking, binding.createdAt.rfc3339,
            binding.passedAt?.rfc3339, try binding.failure.map(JSONColumn.text),
            try binding.disk.map(JSONColumn.text), binding.leavesOut.largestFile,
            try JSONColumn.text(binding.leavesOut.endings), try JSONColumn.text(binding.waits),
            binding.isLinkTakenBack, binding.diskNumber.map { Int64(bitPattern: $0) },
        ])
    }

    /// Writes a part of what is known of a binding; nothing where it is no longer there.
    static func write(_ part: BindingPart, of binding: Binding, in db: Database) throws {
        let (columns, values): (String, StatementArguments) =
            switch part {
            case .choices:
                (
                    "deletions = ?, conflicts = ?, exclude = ?, largest_file = ?, left_out_endings = ?",
                    [
                        binding.deletions.rawValue, binding.conflicts.rawValue,
                        try JSONColumn.text(binding.leavesOut.patterns), binding.leavesOut.largestFile,
                        try JSONColumn.text(binding.leavesOut.endings),
                    ]
                )
            case .link:
                (
                    "link = ?, is_linking = ?, is_link_taken_back = ?",
                    [binding.link, binding.isLinking, binding.isLinkTakenBack]
                )
            case .remotePath: ("remote_path = ?", [binding.remotePath])
            case .disk: ("disk = ?", [try binding.disk.map(JSONColumn.text)])
            case .diskNumber: ("disk_number = ?", [binding.diskNumber.map { Int64(bitPattern: $0) }])
            case .outcome:
                (
                    "passed_at = ?, failure = ?, waits = ?",
                    [
                        binding.passedAt?.rfc3339, try binding.failure.map(JSONColumn.text),
                        try JSONColumn.text(binding.waits),
                    ]
                )
            }
        try db.cachedStatement(sql: "UPDATE bindings SET \(columns) WHERE binding_id = ?")
            .execute(arguments: values + [binding.id])
    }

    /// Removes all that is known of a binding, except for what was agreed on.
    static func remove(_ id: String, in db: Database) throws {
        for table in [
            "bindings", "sync_passes", "sync_decisions", "sync_requests", "sync_choices", "sync_plans",
            "sync_rules", "sync_losses", "sync_reopened", "local_trash", "trashed_nodes", "sync_mounts",
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
        binding.leavesOut.largestFile = row["largest_file"]
        binding.leavesOut.endings = try JSONColumn.read([String].self, row["left_out_endings"])
        let waits: String? = row["waits"]
        binding.waits = try waits.map { try JSONColumn.read(Binding.Waiting.self, $0) } ?? Binding.Waiting()
        binding.link = row["link"]
        binding.isLinking = row["is_linking"]
        binding.isLinkTakenBack = row["is_link_taken_back"]
        let diskNumber: Int64? = row["disk_number"]
        binding.diskNumber = diskNumber.map { UInt64(bitPattern: $0) }
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

    /// The same, of what spells its own JSON.
    static func spelled(_ value: some JSONWritable) -> String { spelled { $0.write(value) } }

    static func spelled(_ values: [some JSONWritable]) -> String { spelled { $0.write(values) } }

    private static func spelled(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        write(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    static func read<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try WireCoding.decode(type, from: Data(text.utf8))
    }
}
