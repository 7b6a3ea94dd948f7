import BothyContract
import Foundation
import GRDB

/// What a person did and wants, read from a replica's file that is set aside: operations, pins, what is to be done about conflicts, and
/// the LUIDs that these speak of. All else can be had from the server again.
struct RescuedWork {
    private(set) var operations = [any DomainOperation]()
    private var pins = [LUID]()
    private var policies = [(luid: LUID, policy: ConflictResolution)]()
    private var luids = [LUID: Row]()
    /// How much of it could not be read, and why the first.
    private var unreadable = 0
    private var reason: (any Error)?

    /// - Parameter leavingUnreadable: do without what cannot be read.
    /// - Throws: `homeUnusable` where something cannot be read and is not to be left; and what says nothing about the file: another
    ///   program holds it, or its disk fails now.
    static func read(from path: String, leavingUnreadable: Bool) throws -> RescuedWork {
        let work = try read(from: path)
        guard work.unreadable == 0 || leavingUnreadable else {
            throw ClientFailure(
                .homeUnusable,
                "“\(path)” is damaged or from a newer Bothy, and \(work.unreadable) of its unsent changes cannot be read.",
                remedy: """
                    Nothing was discarded. If a newer Bothy wrote it, install that again, and let it send the changes. To start over \
                    without the unreadable changes: “bothy doctor --leave-unreadable”; the old file is kept.
                    """)
        }
        return work
    }

    private static func read(from path: String) throws -> RescuedWork {
        var configuration = Configuration()
        configuration.readonly = true
        var work = RescuedWork()
        do {
            let old = try DatabaseQueue(path: path, configuration: configuration)
            try old.read { db in work.take(from: db) }
            try old.close()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            // No database at all: there is nothing in it that anybody could read.
            return work
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            work.note(error)
        } catch let error as DatabaseError {
            throw ClientFailure(error, path: path, remedy: "")
        }
        if let error = work.reason as? DatabaseError, error.resultCode != .SQLITE_NOTADB {
            let failure = ClientFailure(error, path: path, remedy: "")
            if failure.isDamage != true, failure.code != .unexpected { throw failure }
        }
        return work
    }

    private mutating func take(from db: Database) {
        var failures = [any Error]()
        operations = OperationTable.readable(in: db) { failures.append($0) }.filter { $0.state != .acknowledged }
        failures.forEach { note($0) }
        pins = all("pins", in: db, PinTable.all) ?? []
        policies = all("conflict_policies", in: db, ConflictPolicyTable.all) ?? []
        var lost = Set<LUID>()
        for luid in Set(operations.flatMap(\.luids) + pins + policies.map(\.luid)) {
            do { luids[luid] = try Self.row(luid, in: db) } catch {
                note(error)
                lost.insert(luid)
            }
        }
        guard !lost.isEmpty else { return }
        // What cannot be named cannot be done.
        operations.removeAll { !lost.isDisjoint(with: $0.luids) }
        pins.removeAll(where: lost.contains)
        policies.removeAll { lost.contains($0.luid) }
    }

    private mutating func all<Value>(
        _ table: String, in db: Database, _ read: (Database) throws -> [Value]
    ) -> [Value]? {
        do {
            return try db.tableExists(table) ? try read(db) : nil
        } catch {
            note(error)
            return nil
        }
    }

    private mutating func note(_ error: any Error) {
        // Damage that leaves nothing of what waits to be read leaves nothing to wait for: the file is kept, and a new one begun.
        if operations.isEmpty, let code = (error as? DatabaseError)?.resultCode,
            code == .SQLITE_CORRUPT || code == .SQLITE_NOTADB
        {
            return
        }
        unreadable += 1
        reason = reason ?? error
    }

    private static func row(_ luid: LUID, in db: Database) throws -> Row? {
        try Row.fetchOne(
            db,
            sql: "SELECT luid, kind, server_id, local_id, content_hash, same_as FROM luids WHERE luid = ?",
            arguments: [luid.value])
    }

    private static func insert(_ operation: any DomainOperation, in db: Database) throws {
        switch operation {
        case let file as JournalOperation: try OperationTable.insert(file, in: db)
        case let post as FeedOperation: try FeedOperationTable.insert(post, as: post.id, in: db)
        default: throw ClientFailure(.unexpected, "An operation of \(operation.domain) cannot be taken along.")
        }
    }

    /// Writes it into a new database.
    func write(in db: Database) throws {
        for row in luids.values {
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO luids (luid, kind, server_id, local_id, content_hash, same_as)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """, arguments: StatementArguments(row.databaseValues))
        }
        for operation in operations { try Self.insert(operation, in: db) }
        for luid in pins { try PinTable.insert(luid, now: Timestamp(seconds: 0), in: db) }
        for (luid, policy) in policies { try ConflictPolicyTable.set(policy, of: luid, in: db) }
    }
}

extension ReplicaStore {
    /// While nobody else uses the store yet.
    func takeOver(_ work: RescuedWork) throws { try transactNow { db in try work.write(in: db) } }
}

extension DomainOperation {
    /// The things that it speaks of.
    fileprivate var luids: [LUID] {
        let facts = facts
        var luids = [facts.subject]
        for key in facts.reads.union(facts.writes) {
            switch key {
            case .thing(let luid): luids.append(luid)
            case .place(let place): luids.append(place.parent)
            case .writing: break
            }
        }
        return luids + facts.needs
    }
}
