/// How the shared schema is spelled for SQLite.
enum SQLiteDialect {
    /// `BIGINT` and `BYTES` become the types of strict tables. A table whose key has several columns is kept in the
    /// order of that key, so that a range of it is read from one place.
    static func spelled(_ statement: String) -> String {
        guard statement.hasPrefix("CREATE TABLE") || statement.hasPrefix("ALTER TABLE") else { return statement }
        let typed = statement.replacing("BIGINT", with: "INTEGER").replacing("BYTES", with: "BLOB")
        guard statement.hasPrefix("CREATE TABLE") else { return typed }
        return typed + (statement.contains("PRIMARY KEY (") ? " STRICT, WITHOUT ROWID" : " STRICT")
    }
}
