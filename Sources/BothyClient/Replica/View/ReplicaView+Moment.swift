import BothyContract
import GRDB

extension ReplicaView {
    /// What is the same for two who have read the same cache under the same journal, within this process.
    func moment() throws -> FolderMark {
        var hasher = Hasher()
        let tables = [
            "SELECT account_id, cursor, linked, link, left_cursor FROM replica",
            "SELECT count(*), total(luid) FROM thinned_folders",
            """
            SELECT id, state, payload, acknowledged_version, acknowledged_revision, updated_ms FROM operations
            ORDER BY id
            """,
        ]
        for table in tables {
            let rows = try Row.fetchCursor(ground.db.cachedStatement(sql: table))
            while let row = try rows.next() { hasher.combine(Array(row.databaseValues)) }
        }
        return FolderMark("as of \(UInt(bitPattern: hasher.finalize()))")
    }
}
