import Testing

@testable import BothyServer

/// A driver under the conformance suite. A second one (PostgreSQL) joins by a line in `all`.
struct DatabaseDriver: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var open: @Sendable (TemporaryFolder) async throws -> any Database

    static let all = [
        DatabaseDriver(testDescription: "SQLite") { folder in
            try await SQLiteDatabase.open(path: folder.file("bothy.sqlite"), migrations: [schema])
        }
    ]

    static let schema = Migration(
        number: 1, name: "test",
        statements: [
            "CREATE TABLE parents (drive_id BIGINT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (drive_id, name))",
            """
            CREATE TABLE items (
                drive_id BIGINT NOT NULL,
                item_id BIGINT NOT NULL,
                parent TEXT,
                body BYTES,
                PRIMARY KEY (drive_id, item_id),
                FOREIGN KEY (drive_id, parent) REFERENCES parents (drive_id, name)
            )
            """,
        ])
}
