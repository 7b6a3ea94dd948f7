/// What SQLite's planner is told of our tables, in place of an `ANALYZE` of the moment.
///
/// Without it the planner takes `drive_id = ?` for a narrow search, and reads a whole drive where an index would find the
/// row. Fixed figures also keep every statement's plan the same on each server, whatever it holds
/// (https://www.sqlite.org/queryplanner-ng.html, «checklist for avoiding or fixing query planner problems»).
enum SQLiteStatistics {
    /// Rows of a table, as a busy household has them.
    private static let rows = 1_000_000
    /// Rows of an index that holds only some of a table: what waits for a job.
    private static let partialRows = 1_000

    /// Writes the figures for every index there is.
    static func write(_ db: any SQLConnection) throws {
        try db.execute("ANALYZE sqlite_schema")
        try db.execute("DELETE FROM sqlite_stat1")
        let tables = try db.query("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        for table in tables {
            let indexes = try db.query(
                "SELECT name, \"unique\", origin, partial FROM pragma_index_list(?)", [table.values[0]])
            for index in indexes {
                let columns = try db.query("SELECT name FROM pragma_index_info(?)", [index.values[0]])
                    .map { $0.optional(0, SQLRow.string) ?? "" }
                let figures = figures(
                    columns: columns, isUnique: index.bool(1), isSmall: index.bool(3) && !index.bool(1))
                // A primary key of a table WITHOUT ROWID goes by the table's name.
                let name = index.string(2) == "pk" ? table.values[0] : index.values[0]
                try db.execute(
                    "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)", [table.values[0], name, figures.sql])
            }
        }
        // Has the writing connection read them, too.
        try db.execute("ANALYZE sqlite_schema")
    }

    /// As https://www.sqlite.org/fileformat2.html#stat1tab spells it: the rows of the index, then, for each of its first
    /// columns, how many rows share the values up to there.
    static func figures(columns: [String], isUnique: Bool, isSmall: Bool) -> String {
        let total = isSmall ? partialRows : rows
        var shared = [Int]()
        for (position, column) in columns.enumerated() {
            if position == columns.count - 1, isUnique {
                shared.append(1)
            } else if position == 0 {
                shared.append(column == "drive_id" ? total : 100)
            } else {
                shared.append(max(1, min(shared[position - 1] / 10, 100)))
            }
        }
        return ([total] + shared).map(String.init).joined(separator: " ")
    }
}
