import BothyContract
import Foundation
import GRDB

/// The one place that opens the replica's database.
///
/// All in it but the journal can be had from the server again. So a file that is damaged, or written by a newer Bothy,
/// is set aside and a new one begun; what waits to be sent is rescued as far as it can be read.
package enum ReplicaDatabase {
    /// What was found when it was opened.
    package struct Opening: Sendable {
        package var store: ReplicaStore
        /// Where the old file lies now; nil where all was well.
        package var setAside: String?
        /// Operations that came along from it.
        package var rescued = 0
    }

    /// - Parameter now: makes the name of what is set aside.
    package static func open(
        path: String, now: Timestamp, durability: ClientDatabase.Durability = .full
    ) throws -> Opening {
        let mark = "\(path).damaged"
        if access(mark, F_OK) != 0 {
            do {
                return Opening(store: try store(path, durability, mark: mark))
            } catch let failure as ClientFailure where failure.code == .homeNewer || failure.words.contains("damaged") {
                // Set aside below.
            }
        }
        let aside = try setAside(path, now: now)
        unlink(mark)
        let store = try store(path, durability, mark: mark)
        return Opening(store: store, setAside: aside, rescued: try store.rescue(from: aside))
    }

    private static func store(
        _ path: String, _ durability: ClientDatabase.Durability, mark: String
    ) throws -> ReplicaStore {
        ReplicaStore(
            database: try ClientDatabase(
                path: path, migrator: ReplicaMigrations.migrator, durability: durability,
                remedy: "Try again: it is set aside then, and what is known of the server is asked of it anew.",
                damaged: { close(creat(mark, 0o600)) }))
    }

    /// One that is in memory alone: the simulated world's.
    package static func inMemory() throws -> ReplicaStore {
        ReplicaStore(database: try ClientDatabase.inMemory(migrator: ReplicaMigrations.migrator))
    }

    private static func setAside(_ path: String, now: Timestamp) throws -> String {
        let aside = "\(path).set-aside-\(now.milliseconds)"
        for suffix in ["", "-wal", "-shm"] where access(path + suffix, F_OK) == 0 {
            guard rename(path + suffix, aside + suffix) == 0 else {
                throw ClientFailure(errno: errno, path: path + suffix, doing: "be moved")
            }
        }
        return aside
    }
}

extension ReplicaStore {
    /// Takes over what a person wants from another database, with the LUIDs that it speaks of, as far as it can be read:
    /// operations, pins, and what is to be done about conflicts.
    ///
    /// - Returns: how many operations.
    func rescue(from path: String) throws -> Int {
        var configuration = Configuration()
        configuration.readonly = true
        guard let old = try? DatabaseQueue(path: path, configuration: configuration) else { return 0 }
        let operations = ((try? old.read(OperationTable.readable)) ?? []).filter { $0.state != .acknowledged }
        let pins = (try? old.read(PinTable.all)) ?? []
        let policies = (try? old.read(ConflictPolicyTable.all)) ?? []
        let luids = Set(operations.flatMap(\.luids) + pins + policies.map(\.luid))
        let rows = (try? old.read { db in try luids.compactMap { try Self.luidRow($0, in: db) } }) ?? []
        try transactNow { db in
            for row in rows {
                try db.execute(
                    sql: """
                        INSERT OR IGNORE INTO luids (luid, kind, server_id, local_id, content_hash, same_as)
                        VALUES (?, ?, ?, ?, ?, ?)
                        """, arguments: StatementArguments(row.databaseValues))
            }
            for operation in operations { try OperationTable.insert(operation, in: db) }
            for luid in pins { try PinTable.insert(luid, now: Timestamp(seconds: 0), in: db) }
            for (luid, policy) in policies { try ConflictPolicyTable.set(policy, of: luid, in: db) }
        }
        return operations.count
    }

    private static func luidRow(_ luid: LUID, in db: Database) throws -> Row? {
        try Row.fetchOne(
            db,
            sql: "SELECT luid, kind, server_id, local_id, content_hash, same_as FROM luids WHERE luid = ?",
            arguments: [luid.value])
    }
}

extension JournalOperation {
    /// The things that it speaks of.
    fileprivate var luids: [LUID] {
        var luids = [subject]
        luids += scope
        luids += places.map(\.parent)
        if let destination { luids.append(destination) }
        return luids
    }
}
