import BothyContract
import Foundation
import GRDB

/// The files of a replica that is made anew from one that is damaged.
///
/// The new one is made beside the old, with all that comes along, and then takes its place: a crash, or a full disk, on the way
/// leaves the old one to be rescued from again.
struct ReplicaRescue: Sendable {
    let path: String

    /// Says that SQLite has found the file damaged while it was used.
    private var mark: String { "\(path).damaged" }
    /// While it is made, and once it is whole.
    private var fresh: String { "\(path).rescued" }
    private var whole: String { "\(path).rescued-whole" }

    /// Milliseconds after which another process that rescues is looked at again.
    private static let pause: UInt32 = 20

    var isWanted: Bool { Self.exists(mark) }
    var isUnderWay: Bool { Self.exists(fresh) || Self.exists(whole) }
    /// It ended between setting the old file aside and putting the new one in its place.
    var isCutOff: Bool { Self.exists(whole) && !Self.exists(path) }

    func want() { close(creat(mark, 0o600)) }

    /// Keeps other processes out meanwhile.
    func alone<Value>(_ body: () throws -> Value) throws -> Value {
        let lockPath = "\(path).rescue-lock"
        while true {
            if let lock = try FileLock.tryTake(lockPath) {
                defer { withExtendedLifetime(lock) { _ = unlink(lockPath) } }
                return try body()
            }
            usleep(Self.pause * 1_000)
        }
    }

    /// - Parameter open: opens the new one at a path; what an earlier try has left there is gone.
    func begin(_ open: (String) throws -> ReplicaStore) throws -> ReplicaStore {
        try forget()
        return try open(fresh)
    }

    /// The new one holds all that came along, and was closed whole.
    func finish() throws {
        for suffix in Self.suffixes.dropFirst() { try Self.remove(fresh + suffix) }
        try Self.move(fresh, whole)
    }

    /// What an earlier try has left is not wanted.
    func forget() throws {
        try Self.remove(whole)
        for suffix in Self.suffixes { try Self.remove(fresh + suffix) }
    }

    /// Sets the old file aside and gives its name to the new one, which is whole. What was done of that already is not done again.
    ///
    /// - Returns: where the old one lies.
    func putInPlace(now: Timestamp) throws -> String {
        let aside = isCutOff ? newestAside ?? asideNow(now) : asideNow(now)
        for suffix in Self.suffixes where Self.exists(path + suffix) { try Self.move(path + suffix, aside + suffix) }
        try Self.move(whole, path)
        unlink(mark)
        return aside
    }

    private func asideNow(_ now: Timestamp) -> String { "\(path).set-aside-\(now.milliseconds)" }

    /// Where the old file lies, when it was set aside before.
    private var newestAside: String? {
        let (folder, name) = ((path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent)
        let there = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let numbers = there.compactMap { entry in
            entry.hasPrefix("\(name).set-aside-") ? Int64(entry.dropFirst(name.count + ".set-aside-".count)) : nil
        }
        return numbers.max().map { "\(path).set-aside-\($0)" }
    }

    /// The file itself comes first: once it is gone from its place, the new one is whole.
    private static let suffixes = ["", "-wal", "-shm"]

    private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private static func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw ClientFailure(errno: errno, path: path, doing: "be removed")
        }
    }

    private static func move(_ path: String, _ target: String) throws {
        guard rename(path, target) == 0 else { throw ClientFailure(errno: errno, path: path, doing: "be moved") }
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
