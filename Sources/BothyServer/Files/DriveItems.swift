import BothyContract

/// How many files and folders one drive has, against how many it may have. Those in the trash count; the root does not.
///
/// Bytes have a quota, but a file without bytes takes room, too: its name, its versions, its place in the log.
package struct DriveItems {
    private let db: any SQLConnection
    private let drive: Int64

    package init(_ db: any SQLConnection, drive: Int64) {
        self.db = db
        self.drive = drive
    }

    /// - Returns: nil where there is no such drive; no limit where `most` is nil.
    package func usage() throws -> (count: Int64, most: Int64?)? {
        try db.first("SELECT items, most_items FROM drives WHERE drive_id = ?", [drive.sql])
            .map { (count: $0.int64(0), most: $0.optional(1, SQLRow.int64)) }
    }

    /// - Throws: `quota_exceeded` where the drive has as many as it may have, unless this one may be beyond that.
    func addOne(beyondLimit: Bool = false) throws {
        let added = try db.execute(
            """
            UPDATE drives SET items = items + 1
            WHERE drive_id = ? AND (most_items IS NULL OR items < most_items OR ? = 1)
            """, [drive.sql, beyondLimit.sql])
        guard added == 0 else { return }
        guard let most = try usage()?.most else { throw Problem(.notFound, "There is no such drive.") }
        throw Self.exceeded(most)
    }

    func removeOne() throws { try db.execute("UPDATE drives SET items = items - 1 WHERE drive_id = ?", [drive.sql]) }

    /// Every drive may have so many from now on. One that has more keeps them.
    ///
    /// - Parameter most: nil for no limit.
    package static func allow(_ most: Int64?, in db: any SQLConnection) throws {
        try db.execute(
            "UPDATE drives SET most_items = ? WHERE COALESCE(most_items, -1) <> ?", [most.sql, (most ?? -1).sql])
    }

    static func exceeded(_ most: Int64) -> Problem {
        Problem(
            .quotaExceeded,
            "This account has reached its limit of \(most) files and folders, including the trash. "
                + "Delete some for good."
        ).with { $0.limit = most }
    }
}
