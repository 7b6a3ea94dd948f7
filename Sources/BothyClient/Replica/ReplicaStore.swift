import BothyContract
import Foundation
import GRDB

/// The replica's database: the cache with its cursor, LUIDs, and the journal; everything that happens to them is one
/// transaction here.
package final class ReplicaStore: Sendable {
    private let database: ClientDatabase
    private let overlay = KeptOverlay()

    package init(database: ClientDatabase) { self.database = database }

    package func close() async throws { try await database.close() }

    /// Closes it with everything in the file itself. While nobody else uses the store yet.
    func closeWhole() throws { try database.closeWhole() }

    /// What a crash at this moment would leave, in memory. Not from within a transaction.
    package func copyInMemory() throws -> ReplicaStore { ReplicaStore(database: try database.copyInMemory()) }

    /// Gives room that is not used any more back to the disk, where that is much of the file.
    func giveBackRoom() async throws {
        guard try await database.read(KeptMetadata.isMostlyFree) else { return }
        try await database.vacuum()
    }

    /// A number that differs after each commit of another process.
    package func dataVersion() async throws -> Int64 { try await database.dataVersion() }

    // MARK: - Reading

    package func state() async throws -> ReplicaState { try await database.read(ReplicaStateTable.read) }

    /// How far it is, and which operations of files the server has done by now.
    package func standing() async throws -> (state: ReplicaState, settled: Set<Int64>) {
        try await database.read { db in
            let settled = try Int64.fetchSet(
                db, sql: "SELECT id FROM operations WHERE state = 'acknowledged' AND domain = 'files'")
            return (try ReplicaStateTable.read(db), settled)
        }
    }

    /// The journal's part that is about files, in order.
    package func operations() async throws -> [JournalOperation] {
        try await database.read { db in try OperationTable.all(in: db) }
    }

    package func operation(_ id: Int64) async throws -> JournalOperation? {
        try await database.read { db in try OperationTable.find(id, in: db) }
    }

    /// The journal, in order.
    package func journal() async throws -> [any DomainOperation] {
        try await database.read { db in try OperationTable.every(in: db) }
    }

    /// - Returns: nil for what is not in the journal, or not any more.
    package func entry(_ id: Int64) async throws -> (any DomainOperation)? {
        try await database.read { db in try OperationTable.any(id, in: db) }
    }

    /// Whether the journal holds anything of files.
    func hasOperations() async throws -> Bool {
        try await database.read { db in try !OperationTable.isEmpty(in: db) }
    }

    /// Whether something is on its way to the server, or would be next.
    func isSending(_ domain: JournalDomainName) async throws -> Bool {
        try await database.read { db in try OperationTable.isSending(domain, in: db) }
    }

    /// Whether something of it is to be sent, now or at its time.
    func hasToSend(_ domain: JournalDomainName) async throws -> Bool {
        try await database.read { db in try OperationTable.hasToSend(domain, in: db) }
    }

    /// What has happened to the journal.
    struct JournalNews: Sendable {
        var place: ViewChangeTable.Place
        /// Added or changed, in order.
        var operations: [any DomainOperation]
        /// Those that have left; nil where `operations` are all that there are.
        var gone: [Int64]?
    }

    /// - Parameter place: where the journal was read last; nil for all of it.
    func journalNews(since place: ViewChangeTable.Place?) async throws -> JournalNews {
        try await database.read { db in
            guard let place, let changes = try ViewChangeTable.changes(since: place, in: db) else {
                return JournalNews(
                    place: try ViewChangeTable.last(in: db), operations: try OperationTable.every(in: db), gone: nil)
            }
            var news = JournalNews(place: changes.place, operations: [], gone: [])
            for id in changes.operations.sorted() {
                if let operation = try OperationTable.any(id, in: db) {
                    news.operations.append(operation)
                } else {
                    news.gone?.append(id)
                }
            }
            return news
        }
    }

    /// Of what the server does not have yet; nil for all domains.
    package func countOfOpen(_ domain: JournalDomainName? = nil) async throws -> Int {
        try await database.read { db in try OperationTable.countOfOpen(domain, in: db) }
    }

    /// While nobody else uses the store yet.
    func countOfOpenNow() throws -> Int {
        var count = 0
        try transactNow { db in count = try OperationTable.countOfOpen(in: db) }
        return count
    }

    /// Reads from one moment of cache and journal.
    package func view<Value: Sendable>(
        _ body: @escaping @Sendable (ReplicaView) throws -> Value
    ) async throws -> Value {
        try await database.read { [overlay] db in
            let ground = DatabaseGround(db: db)
            return try body(ReplicaView(overlay: try overlay.now(over: ground), ground: ground))
        }
    }

    /// What the server said of it, without what waits.
    package func cached(_ luid: LUID) async throws -> ReplicaFile? {
        try await database.read { db in try DatabaseGround(db: db).file(luid) }
    }

    /// Reads the cache under an overlay that is kept elsewhere.
    package func ground<Value: Sendable>(_ body: @escaping @Sendable (DatabaseGround) throws -> Value) async throws
        -> Value
    {
        try await database.read { db in try body(DatabaseGround(db: db)) }
    }

    package func serverId(of luid: LUID) async throws -> String? {
        try await database.read { db in
            try LuidTable.serverId(of: try LuidTable.resolved(luid, in: db), in: db)
        }
    }

    package func luid(ofServerId id: String) async throws -> LUID? {
        try await database.read { db in try LuidTable.find(serverId: id, in: db) }
    }

    // MARK: - The cache

    /// Begins a link: everything is asked for again, and what there is stays until that has arrived.
    package func beginLink() async throws {
        try await database.write { db in
            var state = try ReplicaStateTable.read(db)
            state.beginLink()
            try ReplicaStateTable.write(state, in: db)
        }
    }

    package func take(
        _ page: GetChangesResponse, after cursor: String?, of owner: DriveIdentity, settled: Set<Int64> = [],
        now: Timestamp
    ) async throws -> PageEffect? {
        try await database.write { db in
            try PageIntake.take(page, after: cursor, of: owner, settled: settled, now: now, in: db)
        }
    }

    // MARK: - The journal

    /// Reads from one moment.
    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await database.read(body)
    }

    package func transact<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await database.write(body)
    }

    /// The same for trying operations on what is shown.
    func transactOnView<Value: Sendable>(
        _ body: @escaping @Sendable (Database, inout MovedOverlay) throws -> Value
    ) async throws -> Value {
        try await database.write { [overlay] db in try overlay.inTransaction { try body(db, &$0) } }
    }

    /// While nobody else uses the store yet.
    func transactNow(_ body: (Database) throws -> Void) throws { try database.writeNow(body) }

    package func save(_ operations: [JournalOperation]) async throws {
        guard !operations.isEmpty else { return }
        try await database.write { db in
            for operation in operations { try OperationTable.save(operation, in: db) }
        }
    }

    /// Writes how far operations are, and nothing of what they do.
    func note(_ operations: [any DomainOperation]) async throws {
        try await database.write { db in for operation in operations { try OperationTable.note(operation, in: db) } }
    }

    /// Marks operations as being sent, as the journal has them now: what has left it meanwhile, or waits for a person, is not sent.
    package func begin(
        _ due: [any DomainOperation], _ domains: [JournalDomainName: any JournalDomain] = [:]
    ) async throws -> [any DomainOperation] {
        guard !due.isEmpty else { return [] }
        return try await database.write { db in
            try due.compactMap { operation in
                guard var kept = try OperationTable.any(operation.id, in: db), !kept.waitsForAPerson else {
                    return nil
                }
                kept = try domains[kept.domain]?.leaving(kept, in: db) ?? kept
                kept.state = operation.state
                kept.sent = operation.sent
                kept.updatedAt = operation.updatedAt
                try OperationTable.note(kept, in: db)
                return kept
            }
        }
    }

    func untoldDecisions() async throws -> [ConflictDecision] {
        let any = try await database.read { db in try Bool.fetchOne(db, sql: "SELECT 1 FROM decisions WHERE NOT told") }
        guard any == true else { return [] }
        return try await database.write(ConflictDecisionTable.takeUntold)
    }

    package func remove(_ ids: [Int64]) async throws {
        try await database.write { db in
            for id in ids { try OperationTable.remove(id, in: db) }
        }
    }

    /// What keeps a person from signing out.
    static func waits(_ count: Int) -> ClientFailure {
        ClientFailure(
            .pendingWork,
            "\(count) change\(count == 1 ? "" : "s") made on this device \(count == 1 ? "is" : "are") waiting to be sent.",
            remedy: "“bothy journal” lists them, and “bothy journal export FOLDER” saves their files."
        )
    }

    /// Everything of the account goes.
    ///
    /// - Throws: `pendingWork` where something waits, which may have been written down a moment ago, and is not to be given up.
    package func removeAll(givingUp: Bool) async throws {
        try await database.write { db in
            let waiting = try OperationTable.countOfOpen(in: db)
            guard waiting == 0 || givingUp else { throw Self.waits(waiting) }
            let tables = [
                "operations", "remote_files", "folder_counts", "gone_folders", "pins", "thinned_folders", "uses",
                "conflict_policies",
                "decisions", "given_up", "given_up_notes", "feed_entries", "feed_gaps", "feed_arrival", "post_comments",
                "posts", "people", "kept_answers",
            ]
            for table in tables {
                try db.execute(sql: "DELETE FROM \(table)")
            }
            try db.execute(sql: "DELETE FROM luids WHERE luid <> ?", arguments: [LUID.root.value])
            let link = try ReplicaStateTable.read(db).link
            try ReplicaStateTable.write(
                ReplicaState(accountId: nil, cursor: nil, isLinked: false, link: link + 1, pulledAt: nil), in: db)
        }
    }
}

/// The cache in the database, within one transaction.
package struct DatabaseGround: OverlayGround {
    let db: Database

    package func file(_ luid: LUID) throws -> ReplicaFile? {
        try RemoteFileTable.find(luid, in: db) ?? (luid == .root ? Self.unseenRoot : nil)
    }

    /// The root is there before the server has told of it.
    private static let unseenRoot = ReplicaFile(
        luid: .root, serverId: File.rootId, parent: nil, name: "", mimeType: File.folderMimeType,
        createdAt: Timestamp(seconds: 0), modifiedAt: Timestamp(seconds: 0), updatedAt: Timestamp(seconds: 0))

    package func child(at place: NameInFolder) throws -> LUID? {
        try RemoteFileTable.child(named: place.name, of: place.parent, in: db)
    }
}
