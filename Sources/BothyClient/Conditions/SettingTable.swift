import GRDB

/// The lasting settings of this device.
struct SettingTable {
    static func value(_ name: String, in db: Database) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT value FROM settings WHERE name = ?"), arguments: [name])
    }

    static func set(_ name: String, to value: String?, in db: Database) throws {
        guard let value else {
            try db.execute(sql: "DELETE FROM settings WHERE name = ?", arguments: [name])
            return
        }
        try db.cachedStatement(
            sql: """
                INSERT INTO settings (name, value) VALUES (?, ?)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                """
        ).execute(arguments: [name, value])
    }
}
