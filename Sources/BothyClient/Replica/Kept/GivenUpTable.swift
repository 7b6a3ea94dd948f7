import GRDB

/// The table `given_up`: since when content lies on this device that was given up here, by its name in that folder.
///
/// In seconds that the device had lived when it was first seen there: a calendar that jumps takes nothing away.
enum GivenUpTable {
    /// Seconds that it stays.
    static let lifetime: Int64 = 30 * 86_400

    /// Takes down what is there now, and forgets what is not.
    ///
    /// - Parameter lived: seconds that this device has lived.
    /// - Returns: what has been there for its time.
    static func look(at names: [String], lived: Int64, in db: Database) throws -> [String] {
        var since = [String: Int64]()
        let rows = try Row.fetchCursor(db, sql: "SELECT name, lived FROM given_up")
        while let row = try rows.next() { since[row[0]] = row[1] }
        for name in Set(since.keys).subtracting(names) {
            try db.execute(sql: "DELETE FROM given_up WHERE name = ?", arguments: [name])
        }
        try GivenUpNoteTable.keep(names, in: db)
        for name in names where since[name] == nil {
            try db.execute(sql: "INSERT INTO given_up (name, lived) VALUES (?, ?)", arguments: [name, lived])
        }
        return names.filter { lived - (since[$0] ?? lived) >= lifetime }
    }

    static func isEmpty(in db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT 1 FROM given_up UNION ALL SELECT 1 FROM given_up_notes LIMIT 1") == nil
    }
}
