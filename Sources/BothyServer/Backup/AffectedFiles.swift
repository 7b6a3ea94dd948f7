import BothyContract

/// Finds which files have damaged blocks. No index says so, and a drive's list of blocks is long: it is walked once for
/// thousands of damaged ones, in small steps beside everybody's requests.
struct AffectedFiles: Sendable {
    /// Damaged blocks that one walk looks for: with their contents they stay within some megabytes.
    static let mostBlocks = 4_096
    /// Files named for one damaged block; content that very many share is one loss.
    private static let mostFiles = 1000
    /// Rows of the list of blocks that one step reads: some milliseconds.
    private static let rowsInStep = 4_096

    private struct Place: Sendable {
        var content = Int64.min
        var position: Int64 = 0
    }

    private let database: any Database
    /// Before a look that found too many others waiting is tried again.
    private let pause: Duration

    init(_ database: any Database, pause: Duration = .seconds(1)) {
        self.database = database
        self.pause = pause
    }

    /// - Returns: one for each of the blocks, in their order.
    func damage(of blocks: [Verification.StoredBlock]) async throws -> [Verification.Damage] {
        var contents = [Int64: [ContentHash: [Int64]]]()
        for (drive, blocks) in Dictionary(grouping: blocks, by: \.driveId) {
            contents[drive] = try await self.contents(with: Set(blocks.map(\.hash)), in: drive)
        }
        var damage = [Verification.Damage]()
        for block in blocks {
            let contents = contents[block.driveId]?[block.hash] ?? []
            let files = try await files(of: contents, in: block.driveId)
            let posts = try await posts(showing: contents, of: block.driveId)
            damage.append(
                Verification.Damage(
                    driveId: block.driveId, hash: block.hash, size: Int64(block.location.length), files: files,
                    posts: posts))
        }
        return damage
    }

    /// Contents by the damaged blocks that they have, not more for each than files are named.
    private func contents(with damaged: Set<ContentHash>, in drive: Int64) async throws -> [ContentHash: [Int64]] {
        var contents = [ContentHash: [Int64]]()
        var place = Place()
        while true {
            try Task.checkCancellation()
            let (found, next) = try await step(after: place, damaged, in: drive)
            for (hash, content) in found where contents[hash]?.last != content {
                if contents[hash, default: []].count < Self.mostFiles { contents[hash, default: []].append(content) }
            }
            guard let next else { return contents }
            place = next
        }
    }

    /// - Returns: where the next step begins; nil behind the last row.
    private func step(
        after place: Place, _ damaged: Set<ContentHash>, in drive: Int64
    ) async throws -> (found: [(ContentHash, Int64)], next: Place?) {
        try await readApart { db -> (found: [(ContentHash, Int64)], next: Place?) in
            let rows = try db.query(
                """
                SELECT content_id, position, hash FROM content_blocks
                WHERE drive_id = ? AND (content_id, position) > (?, ?) ORDER BY content_id, position LIMIT ?
                """, [drive.sql, place.content.sql, place.position.sql, Self.rowsInStep.sql])
            let found = rows.compactMap { row -> (ContentHash, Int64)? in
                let hash = row.hash(2)
                return damaged.contains(hash) ? (hash, row.int64(0)) : nil
            }
            guard rows.count == Self.rowsInStep, let last = rows.last else { return (found, nil) }
            return (found, Place(content: last.int64(0), position: last.int64(1)))
        }
    }

    /// That many people look at much just now ends no check of hours: it comes again until it has its turn.
    private func readApart<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        while true {
            do {
                return try await database.readApart(body)
            } catch let problem as Problem where problem.code == .busy {
                try await Task.sleep(for: pause)
            }
        }
    }

    /// Each once, by their ids.
    private func posts(showing contents: [Int64], of author: Int64) async throws -> [Int64] {
        if contents.isEmpty { return [] }
        return try await readApart { db in
            var posts = Set<Int64>()
            for content in contents where posts.count < Self.mostFiles {
                for owner in [AttachmentOwner.post(0), .scheduled(0)] {
                    let rows = try db.query(
                        """
                        SELECT t.\(owner.key) FROM attachments a
                        JOIN \(owner.table) t ON t.author_id = a.author_id AND t.attachment_id = a.attachment_id
                        WHERE a.author_id = ? AND a.content_id = ? LIMIT ?
                        """, [author.sql, content.sql, Self.mostFiles.sql])
                    posts.formUnion(rows.map { $0.int64(0) })
                }
            }
            return posts.sorted()
        }
    }

    /// - Parameter contents: ids.
    func files(of contents: [Int64], in drive: Int64) async throws -> [Verification.AffectedFile] {
        if contents.isEmpty { return [] }
        return try await readApart { db -> [Verification.AffectedFile] in
            var rows = [SQLRow]()
            for content in contents where rows.count < Self.mostFiles {
                rows += try db.query(
                    """
                    SELECT r.node_id, r.revision_id, n.head_revision_id FROM revisions r
                    JOIN nodes n ON n.drive_id = r.drive_id AND n.node_id = r.node_id
                    WHERE r.drive_id = ? AND r.content_id = ? ORDER BY r.node_id, r.revision_id LIMIT ?
                    """, [drive.sql, content.sql, (Self.mostFiles - rows.count).sql])
            }
            var ancestry = Ancestry(db, drive: drive)
            return try rows.sorted { ($0.string(0), $0.string(1)) < ($1.string(0), $1.string(1)) }.map { row in
                Verification.AffectedFile(
                    fileId: row.string(0), revisionId: row.string(1), path: try ancestry.writtenPath(of: row.string(0)),
                    isHead: row.optional(2, SQLRow.string) == row.string(1))
            }
        }
    }
}
