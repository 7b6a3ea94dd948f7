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
        if charged == 0 { throw Self.exceeded(try room()) }
    }

    package func refund(_ bytes: Int64) throws {
        guard bytes > 0 else { return }
        try db.execute("UPDATE drives SET used_bytes = used_bytes - ? WHERE drive_id = ?", [bytes.sql, drive.sql])
    }

    /// - Throws: `quota_exceeded` when `bytes` more would not fit; charges nothing.
    package func check(_ bytes: Int64) throws {
        guard bytes > 0 else { return }
        if let room = try room(), bytes > room.free { throw Self.exceeded(room) }
    }

    /// Bytes that count against the quota, and the quota itself, which not every drive has.
    ///
    /// - Returns: nil where there is no such drive.
    package func usage() throws -> (used: Int64, quota: Int64?)? {
        try db.first("SELECT used_bytes, quota_bytes FROM drives WHERE drive_id = ?", [drive.sql])
            .map { (used: $0.int64(0), quota: $0.optional(1, SQLRow.int64)) }
    }

    /// Bytes that still fit, and all that there may be; nil without a quota.
    private func room() throws -> (free: Int64, quota: Int64)? {
        guard let (used, quota) = try usage() else { throw Problem(.notFound, "There is no such drive.") }
        return quota.map { (max(0, $0 - used), $0) }
    }

    /// The caller names what did not fit: here it may be only a chunk of it.
    static func exceeded(_ room: (free: Int64, quota: Int64)?) -> Problem {
        let free = room?.free ?? 0
        let left = free == 0 ? "Nothing is left" : "There is not enough space: \(ByteCount.text(free)) are left"
        let quota = room.map { " of \(ByteCount.text($0.quota))" } ?? ""
        return Problem(.quotaExceeded, "\(left) of this account's quota\(quota).").with { $0.free = free }
    }
}
