/// The table `revisions` over all drives, for thinning old ones.
struct OldVersions {
    /// Where a walk over all files stands: behind every version of this file.
    struct Place: Equatable, Sendable {
        var drive = Int64.min
        var file = ""
    }

    /// The versions of one file, the first one first.
    struct History: Equatable, Sendable {
        var place: Place
        var revisions: [String] = []
        /// When each was made, in lived seconds.
        var made: [Int64?] = []
    }

    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// Files behind `place`, each with all of its versions.
    ///
    /// - Parameter limit: versions that are read at once; a file with more comes alone.
    func histories(after place: Place, limit: Int) throws -> [History] {
        let rows = try db.query(
            """
            SELECT drive_id, node_id, revision_id, made_lived FROM revisions WHERE (drive_id, node_id) > (?, ?)
            ORDER BY drive_id, node_id, version LIMIT ?
            """, [place.drive.sql, place.file.sql, limit.sql])
        var histories = Self.histories(rows)
        guard rows.count == limit, let last = histories.popLast() else { return histories }
        // More of the last one may lie behind the page: it begins the next, unless it is all there is in this one.
        return histories.isEmpty ? [try history(of: last.place)] : histories
    }

    private func history(of place: Place) throws -> History {
        let rows = try db.query(
            """
            SELECT drive_id, node_id, revision_id, made_lived FROM revisions WHERE drive_id = ? AND node_id = ?
            ORDER BY version
            """, [place.drive.sql, place.file.sql])
        return Self.histories(rows).first ?? History(place: place)
    }

    private static func histories(_ rows: [SQLRow]) -> [History] {
        rows.reduce(into: []) { histories, row in
            let place = Place(drive: row.int64(0), file: row.string(1))
            if histories.last?.place != place { histories.append(History(place: place)) }
            histories[histories.count - 1].revisions.append(row.string(2))
            histories[histories.count - 1].made.append(row.optional(3, SQLRow.int64))
        }
    }

    /// Lets versions of a file go, except for its newest, those that a post or a draft shows, and those that a restore which is planned
    /// or under way will ask for. Of a drive for which one is being planned none goes yet: what it will ask for is not written down.
    ///
    /// - Returns: how many of them, from the first on, have gone or stay; the others' contents are of too many blocks for one transaction.
    func letGo(
        _ revisions: [String], of place: Place, mostBlocks: Int = RevisionTable.mostBlocks, lived: Int64
    ) throws -> Int {
        guard try !RestoreTable(db, drive: place.drive).isPlanning() else { return revisions.count }
        let wanted = try db.query(
            """
            SELECT revision_id FROM restore_steps
            WHERE drive_id = ? AND node_id = ? AND outcome IS NULL AND revision_id IS NOT NULL
            """, [place.drive.sql, place.file.sql]
        ).map { $0.string(0) }
        let contents = ContentTable(db, drive: place.drive)
        var (settled, blocks) = (0, 0)
        for revision in revisions where blocks < mostBlocks {
            settled += 1
            if try wanted.contains(revision) || DraftTable.show(revision, ofDrive: place.drive, in: db) { continue }
            let rows = try db.query(
                """
                DELETE FROM revisions WHERE drive_id = ? AND revision_id = ? AND node_id = ? AND EXISTS (
                    SELECT 1 FROM revisions later
                    WHERE later.drive_id = revisions.drive_id AND later.node_id = revisions.node_id
                        AND later.version > revisions.version
                ) RETURNING content_id
                """, [place.drive.sql, revision.sql, place.file.sql])
            if let content = rows.first?.int64(0) { blocks += try contents.release(content, lived: lived) }
        }
        return settled
    }
}
