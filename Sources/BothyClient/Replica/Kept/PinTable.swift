import BothyContract
import GRDB

/// The table `pins`: what is kept on this device for times without a connection.
enum PinTable {
    static func all(in db: Database) throws -> [LUID] {
        try Int64.fetchAll(db, sql: "SELECT luid FROM pins ORDER BY pinned_ms, luid").map(LUID.init)
    }

    static func insert(_ luid: LUID, now: Timestamp, in db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO pins (luid, pinned_ms) VALUES (?, ?)",
            arguments: [luid.value, now.milliseconds])
    }

    /// - Returns: false when it was not pinned itself.
    static func remove(_ luid: LUID, in db: Database) throws -> Bool {
        try db.execute(sql: "DELETE FROM pins WHERE luid = ?", arguments: [luid.value])
        return db.changesCount > 0
    }
}
