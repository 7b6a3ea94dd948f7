import GRDB

/// The table `sync_rules`: what the ignore files of a folder said that a person here has agreed to.
enum SyncRulesTable {
    static func all(of binding: String, in db: Database) throws -> [Place: String] {
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT place, text FROM sync_rules WHERE binding_id = ?"), arguments: [binding])
        return Dictionary(rows.map { (Place(text: $0[0]), $0[1]) }, uniquingKeysWith: { $1 })
    }

    static func replace(_ texts: [Place: String], of binding: String, in db: Database) throws {
        try db.execute(sql: "DELETE FROM sync_rules WHERE binding_id = ?", arguments: [binding])
        for (place, text) in texts {
            try db.execute(
                sql: "INSERT INTO sync_rules (binding_id, place, text) VALUES (?, ?, ?)",
                arguments: [binding, place.text, text])
        }
    }
}
