import BothyContract
import GRDB

/// How far the replica is: whose drive, which place in its log.
package struct ReplicaState: Equatable, Sendable {
    /// Whose drive this is a replica of; nil before the first page.
    package var accountId: String?
    /// nil before the first page, and while it is not known where to go on.
    package var cursor: String?
    /// Every page of the link has arrived, and every change up to the log's end as it was then.
    package var isLinked: Bool
    /// Grows with each linking: what was agreed on under another number is merged anew, where absence is no deletion.
    package var link: Int64
    /// When the end of the log was reached last.
    package var pulledAt: Timestamp?
    /// The place that the link was begun from, while it is under way.
    var leftCursor: String?

    /// Begins a link: everything is asked for again.
    mutating func beginLink() {
        // A place in the middle of another link says nothing of how far the cache was.
        if let cursor, ChangeCursor(text: cursor) != nil { leftCursor = cursor }
        cursor = nil
        isLinked = false
        link += 1
    }

    /// Whether the server has been put back to a backup since the link began: its log is another one then.
    func isPutBack(at cursor: String) -> Bool {
        guard let before = leftCursor.flatMap({ ChangeCursor(text: $0) }), let now = ChangeCursor(text: cursor) else {
            return false
        }
        return before.epoch != now.epoch
    }
}

/// The table `replica`: one row.
enum ReplicaStateTable {
    static func read(_ db: Database) throws -> ReplicaState {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT account_id, cursor, linked, link, pulled_ms, left_cursor FROM replica"))
        guard let row else { return ReplicaState(accountId: nil, cursor: nil, isLinked: false, link: 1, pulledAt: nil) }
        let pulled: Int64? = row[4]
        return ReplicaState(
            accountId: row[0], cursor: row[1], isLinked: row[2], link: row[3],
            pulledAt: pulled.map(Timestamp.init(milliseconds:)), leftCursor: row[5])
    }

    /// Bytes of metadata that the server lets a device keep, and when it said so.
    static func metadataCap(in db: Database) throws -> (bytes: Int64?, askedAt: Timestamp?) {
        let row = try Row.fetchOne(db, sql: "SELECT metadata_cap, metadata_cap_asked_ms FROM replica")
        let asked: Int64? = row?[1]
        return (row?[0], asked.map(Timestamp.init(milliseconds:)))
    }

    static func setMetadataCap(_ bytes: Int64, askedAt: Timestamp, in db: Database) throws {
        try db.execute(
            sql: "UPDATE replica SET metadata_cap = ?, metadata_cap_asked_ms = ?",
            arguments: [bytes, askedAt.milliseconds])
    }

    static func write(_ state: ReplicaState, in db: Database) throws {
        try db.execute(
            sql: "UPDATE replica SET account_id = ?, cursor = ?, linked = ?, link = ?, pulled_ms = ?, left_cursor = ?",
            arguments: [
                state.accountId, state.cursor, state.isLinked, state.link, state.pulledAt?.milliseconds,
                state.leftCursor,
            ])
    }
}
