import GRDB

/// The table `uses`: what was looked at here, in which order. Of things that were never looked at there is no row.
///
/// Counted by a number that grows and not by a clock: one that jumps would make the newest the oldest.
enum UseTable {
    enum Thing: Hashable, Sendable {
        case folder(LUID)
        /// Content that is held here, by its revision.
        case content(String)

        var name: String {
            switch self {
            case .folder(let luid): "folder:\(luid.value)"
            case .content(let revision): "content:\(revision)"
            }
        }
    }

    static func note(_ things: some Collection<Thing>, in db: Database) throws {
        guard !things.isEmpty else { return }
        let now = (try Int64.fetchOne(db, sql: "SELECT max(used) FROM uses") ?? 0) + 1
        for thing in things {
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO uses (thing, used) VALUES (?, ?)")
                .execute(arguments: [thing.name, now])
        }
    }

    /// By name.
    static func all(in db: Database) throws -> [String: Int64] {
        var uses = [String: Int64]()
        let rows = try Row.fetchCursor(db, sql: "SELECT thing, used FROM uses")
        while let row = try rows.next() { uses[row[0]] = row[1] }
        return uses
    }

    static func forget(_ thing: Thing, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM uses WHERE thing = ?").execute(arguments: [thing.name])
    }
}
