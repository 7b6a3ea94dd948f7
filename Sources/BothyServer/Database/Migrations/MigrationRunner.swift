/// Brings a database's schema to what this binary knows, one migration after the other, each in a transaction.
struct MigrationRunner: Sendable {
    let migrations: [Migration]
    /// How the driver spells a statement of the shared schema.
    let spell: @Sendable (String) -> String

    /// - Parameter copy: called with the first migration's number, before a database with something in it is changed.
    /// - Throws: ``DatabaseError/newer(found:known:)`` when the database has seen a later binary.
    func run(on database: any Database, copyingBefore copy: (Int) async throws -> Void) async throws {
        let spell = spell
        try await database.write(from: .reserve) { connection in
            try connection.execute(
                spell(
                    """
                    CREATE TABLE IF NOT EXISTS schema_migrations (
                        number BIGINT NOT NULL PRIMARY KEY,
                        name TEXT NOT NULL
                    )
                    """))
        }
        let applied = try await database.read { connection in
            try connection.query("SELECT number FROM schema_migrations ORDER BY number").map { $0.int(0) }
        }
        let pending = try Self.pending(migrations, applied: applied)
        guard let first = pending.first else { return }
        if !applied.isEmpty { try await copy(first.number) }
        for migration in pending {
            try await database.write(from: .reserve) { connection in
                for statement in migration.statements { try connection.execute(spell(statement)) }
                try migration.then(connection)
                try connection.execute(
                    "INSERT INTO schema_migrations (number, name) VALUES (?, ?)",
                    [migration.number.sql, migration.name.sql])
            }
        }
    }

    /// What is left to do.
    static func pending(_ known: [Migration], applied: [Int]) throws -> [Migration] {
        let newest = known.map(\.number).max() ?? 0
        if let found = applied.max(), found > newest { throw DatabaseError.newer(found: found, known: newest) }
        return known.filter { !applied.contains($0.number) }.sorted { $0.number < $1.number }
    }
}
