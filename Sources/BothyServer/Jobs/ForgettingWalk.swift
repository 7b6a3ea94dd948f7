import Synchronization

/// Goes over all drives in small steps, and forgets what their change logs have no use for: of each drive a bounded
/// part in a transaction of its own, so that others write between.
///
/// A round that is broken off is resumed by the next.
final class ForgettingWalk: Sendable {
    /// Drives of one step: a look at the first entry of each one's log.
    private static let mostDrives = 500
    /// Rows of each table that one transaction takes.
    private static let mostRows = 500

    private let database: any Database
    /// The drive behind which the next step begins.
    private let place = Mutex(Int64.min)

    init(database: any Database) { self.database = database }

    /// Forgets a part of one drive's, or passes drives that have nothing to forget.
    ///
    /// - Parameter lived: where it is not past the server's first year, there is nothing.
    func step(livedBefore lived: Int64) async throws -> Job.Step {
        guard lived > 0 else { return .done }
        let after = place.withLock { $0 }
        let drives = try await database.read { db in
            try ChangeLog.drives(after: after, withChangesBefore: lived, limit: Self.mostDrives, in: db)
        }
        for (drive, isOld) in drives {
            if isOld, try await forget(of: drive, livedBefore: lived) { return .more }
            place.withLock { $0 = drive }
        }
        guard drives.count == Self.mostDrives else {
            place.withLock { $0 = .min }
            return .done
        }
        return .more
    }

    /// - Returns: whether there may be more of this drive.
    private func forget(of drive: Int64, livedBefore lived: Int64) async throws -> Bool {
        try await database.write(from: .reserve) { db in
            // A restore that is not over, or may be asked for, still reads what came after its moment.
            let restore = try db.first(
                "SELECT 1 FROM restores WHERE drive_id = ? AND state <> 'finished' LIMIT 1", [drive.sql])
            if restore != nil { return false }
            let forgotten = try ChangeLog(db, drive: drive).prune(livedBefore: lived, limit: Self.mostRows)
            try NodeHistory(db, drive: drive).prune(limit: Self.mostRows)
            return forgotten > 0
        }
    }
}
