import BothyContract

/// What time does to uploads. Each function is one bounded step of a job, and answers how much it found, so that the
/// job knows whether to go on. Time is lived: a calendar that jumps frees nothing.
package enum UploadExpiry {
    /// Lived seconds for which a block that nothing refers to waits for somebody who names it.
    package static let unreferencedLifetime: Int64 = 24 * 3600
    /// Lived seconds for which a session that is over still answers how it ended.
    package static let outcomeLifetime: Int64 = 30 * 24 * 3600

    /// Ends sessions that nobody touched for their lifetime. What they received stays findable by hash for a day.
    package static func expireSessions(in db: any SQLConnection, lived: Int64, limit: Int) throws -> Int {
        let idle = try db.query(
            "SELECT drive_id, upload_id FROM uploads WHERE state = ? AND active_lived < ? ORDER BY active_lived LIMIT ?",
            [UploadSession.Phase.open.sql, (lived - UploadLimits.sessionLifetime).sql, limit.sql])
        for row in idle {
            let drive = row.int64(0)
            let uploadId = row.string(1)
            try BlockTable(db, drive: drive).beginWaiting(heldBy: uploadId, lived: lived)
            try UploadChunkTable(db, drive: drive, uploadId: uploadId).deleteAll()
            try db.execute(
                "UPDATE uploads SET state = ? WHERE drive_id = ? AND upload_id = ?",
                [UploadSession.Phase.expired.sql, drive.sql, uploadId.sql])
        }
        return idle.count
    }

    /// Forgets sessions that have been over for a month.
    package static func forgetSessions(in db: any SQLConnection, lived: Int64, limit: Int) throws -> Int {
        var forgotten = 0
        for phase in [UploadSession.Phase.finished, .canceled, .expired] {
            forgotten += try db.executeEach(
                "DELETE FROM uploads WHERE drive_id = ? AND upload_id = ?",
                of: "SELECT drive_id, upload_id FROM uploads WHERE state = ? AND active_lived < ? LIMIT ?",
                [phase.sql, (lived - outcomeLifetime).sql, limit.sql])
        }
        return forgotten
    }

    /// Frees blocks that nothing has referred to for longer than so many lived seconds, and no open upload pins.
    package static func freeBlocks(
        in db: any SQLConnection, waitedFor waited: Int64 = unreferencedLifetime, lived: Int64, limit: Int
    ) throws -> Int {
        let freed = try db.query(
            """
            SELECT drive_id, hash, size, counted FROM blocks
            WHERE unreferenced_lived IS NOT NULL AND unreferenced_lived < ? AND refs = 0 AND NOT EXISTS (
                SELECT 1 FROM upload_chunks c
                WHERE c.drive_id = blocks.drive_id AND c.hash = blocks.hash AND c.received = 1
            ) ORDER BY unreferenced_lived LIMIT ?
            """, [(lived - waited).sql, limit.sql])
        var refunds = [Int64: Int64]()
        for row in freed {
            try db.execute("DELETE FROM blocks WHERE drive_id = ? AND hash = ?", [row.values[0], row.values[1]])
            if row.bool(3) { refunds[row.int64(0), default: 0] += row.int64(2) }
        }
        for (drive, bytes) in refunds { try DriveQuota(db, drive: drive).refund(bytes) }
        return freed.count
    }
}
