import BothyContract

/// What one drive holds, against what it may hold. Bytes of blocks, each counted once, whatever refers to it.
package struct DriveQuota {
    private let db: any SQLConnection
    private let drive: Int64

    package init(_ db: any SQLConnection, drive: Int64) {
        self.db = db
        self.drive = drive
    }

    /// - Throws: `quota_exceeded` when `bytes` more do not fit; nothing is charged then.
    package func charge(_ bytes: Int64) throws {
        guard bytes > 0 else { return }
        let charged = try db.execute(
            """
            UPDATE drives SET used_bytes = used_bytes + ?
            WHERE drive_id = ? AND (quota_bytes IS NULL OR used_bytes + ? <= quota_bytes)
            """, [bytes.sql, drive.sql, bytes.sql])
        if charged == 0 { throw try exceeded(by: bytes) }
    }

    package func refund(_ bytes: Int64) throws {
        guard bytes > 0 else { return }
        try db.execute("UPDATE drives SET used_bytes = used_bytes - ? WHERE drive_id = ?", [bytes.sql, drive.sql])
    }

    /// - Throws: `quota_exceeded` when `bytes` more would not fit; charges nothing.
    package func check(_ bytes: Int64) throws {
        guard bytes > 0 else { return }
        if let free = try free(), bytes > free { throw try exceeded(by: bytes) }
    }

    /// Bytes that still fit; nil without a quota.
    private func free() throws -> Int64? {
        let row = try db.first("SELECT used_bytes, quota_bytes FROM drives WHERE drive_id = ?", [drive.sql])
        guard let row else { throw Problem(.notFound, "There is no such drive.") }
        return row.optional(1, SQLRow.int64).map { max(0, $0 - row.int64(0)) }
    }

    private func exceeded(by bytes: Int64) throws -> Problem {
        let free = try free() ?? 0
        return Problem(
            .quotaExceeded,
            "\(bytes) bytes do not fit: \(free) are left of the quota. Delete something for good, "
                + "or cancel uploads that are not needed."
        ).with { $0.free = free }
    }
}
