import BothyContract
import GRDB

/// Takes what a home had in the feed's own outbox into the journal. What was fetched is fetched again.
struct FeedCarryOver: Sendable {
    /// What was done, as that outbox had it.
    private enum Deed: Codable, Sendable {
        case publish(NewPostRequest)
        case delete(post: Int64)
        case interact(post: Int64, PostInteraction)
        case comment(post: Int64, NewCommentRequest)
        case deleteComment(Int64, post: Int64)

        var now: FeedDeed {
            switch self {
            case .publish(let request): .publish(request)
            case .delete(let post): .delete(post: post)
            case .interact(let post, let interaction): .interact(post: post, interaction)
            case .comment(let post, let request): .comment(post: post, request)
            case .deleteComment(let comment, let post): .deleteComment(comment, post: post)
            }
        }
    }

    private struct Waiting: Sendable {
        var requestId: String
        var deed: FeedDeed
        var isRefused: Bool
        var lastError: ClientFailure?
        var createdAt: Timestamp

        init(_ row: Row) throws {
            let (action, state, error): (String, String, String?) = (row[1], row[2], row[3])
            requestId = row[0]
            deed = try WireCoding.decode(Deed.self, fromText: action).now
            isRefused = state == "refused"
            lastError = try error.map { try WireCoding.decode(ClientFailure.self, fromText: $0) }
            createdAt = Timestamp(milliseconds: row[4])
        }
    }

    private let old: ClientDatabase
    private let replica: @Sendable () async throws -> ReplicaStore

    init(from old: ClientDatabase, to replica: @escaping @Sendable () async throws -> ReplicaStore) {
        self.old = old
        self.replica = replica
    }

    /// A crash between its two databases takes the same along once more: under its request id it is done once.
    ///
    /// - Throws: `homeUnusable` where something that waits cannot be read; all of it stays where it is then.
    func run() async throws {
        guard try await old.read({ try $0.tableExists("feed_operations") }) else { return }
        let waiting = try await old.read(Self.waiting)
        if !waiting.isEmpty {
            try await replica().transact { db in for one in waiting { try Self.insert(one, in: db) } }
        }
        try await old.write { db in
            for table in ["post_comments", "feed_entries", "posts", "feed_operations"] {
                try db.execute(sql: "DROP TABLE IF EXISTS \(table)")
            }
        }
    }

    private static func waiting(in db: Database) throws -> [Waiting] {
        // Another process may have taken all along a moment ago.
        guard try db.tableExists("feed_operations") else { return [] }
        return try Row.fetchAll(
            db,
            sql: """
                SELECT request_id, action, state, last_error, created_ms FROM feed_operations
                WHERE state <> 'acknowledged' ORDER BY id
                """
        ).map { row in
            do {
                return try Waiting(row)
            } catch is DecodingError {
                throw ClientFailure(
                    .homeUnusable, "A post that is waiting on this device cannot be read.",
                    remedy: "Nothing was discarded. If a newer Bothy wrote it, install that again.")
            }
        }
    }

    private static func insert(_ one: Waiting, in db: Database) throws {
        var operation = try FeedOperationTable.insert(one.deed, requestId: one.requestId, now: one.createdAt, in: db)
        guard one.isRefused else { return }
        operation.state = .parked
        operation.lastError = one.lastError
        try OperationTable.note(operation, in: db)
    }
}
