import BothyContract

/// What lies in a drive and how large it is, counted row by row in small steps, so that a drive of a million files holds
/// nobody up.
package struct DriveInventory: Sendable {
    /// Rows of one step: a few milliseconds.
    private static let step = 2000

    package struct Part: Equatable, Sendable {
        package var count = 0
        package var bytes: Int64 = 0

        mutating func add(_ size: Int64) {
            count += 1
            bytes += size
        }
    }

    package private(set) var files = [String: Part]()
    package private(set) var trash = Part()
    package private(set) var versions = Part()
    /// What posts show that no file, and no version of one, has any more.
    package private(set) var posts = Part()
    /// The largest first.
    package private(set) var largest = [(row: FileRow, above: [String])]()

    private let drive: Int64
    private let mostLarge: Int

    /// - Parameter largest: how many of the largest files are kept.
    package static func taken(of drive: Int64, largest: Int, in database: any Database) async throws -> DriveInventory {
        var inventory = DriveInventory(drive: drive, mostLarge: largest)
        var place: String? = ""
        while let after = place {
            let known = inventory
            (inventory, place) = try await database.read { try known.countingNodes(after: after, in: $0) }
            // The one who waited for it may be gone.
            try Task.checkCancellation()
            await Task.yield()
        }
        place = ""
        while let after = place {
            let known = inventory
            (inventory, place) = try await database.read { try known.countingRevisions(after: after, in: $0) }
            // The one who waited for it may be gone.
            try Task.checkCancellation()
            await Task.yield()
        }
        var last: Int64? = .min
        while let after = last {
            let known = inventory
            (inventory, last) = try await database.read { try known.countingPosts(after: after, in: $0) }
            // The one who waited for it may be gone.
            try Task.checkCancellation()
            await Task.yield()
        }
        // Each file's head is no earlier version of it.
        let heads = inventory.files.values.reduce(inventory.trash) {
            Part(count: $0.count + $1.count, bytes: $0.bytes + $1.bytes)
        }
        inventory.versions.count = max(0, inventory.versions.count - heads.count)
        inventory.versions.bytes = max(0, inventory.versions.bytes - heads.bytes)
        return inventory
    }

    private init(drive: Int64, mostLarge: Int) {
        self.drive = drive
        self.mostLarge = mostLarge
    }

    private func countingNodes(
        after place: String, in db: any SQLConnection
    ) throws -> (DriveInventory, String?) {
        var counted = self
        var ancestry = Ancestry(db, drive: drive)
        let rows = try db.query(
            """
            SELECT \(FileRow.columns) FROM nodes WHERE drive_id = ? AND node_id > ? AND purged = 0
            ORDER BY node_id LIMIT ?
            """,
            [drive.sql, place.sql, Self.step.sql]
        ).map(FileRow.init)
        for row in rows where !row.isFolder && row.headRevisionId != nil {
            switch try ancestry.standing(of: row.id) {
            case .gone: continue
            case .trashed: counted.trash.add(row.size)
            case .live:
                // As screens tell it.
                let type = MediaType.told(row.mimeType, named: row.name)
                counted.files[type, default: Part()].add(row.size)
                try counted.remember(row, &ancestry)
            }
        }
        return (counted, rows.count < Self.step ? nil : rows.last?.id)
    }

    private mutating func remember(_ row: FileRow, _ ancestry: inout Ancestry) throws {
        if largest.count == mostLarge, largest.last.map({ $0.row.size >= row.size }) ?? true { return }
        let index = largest.firstIndex { $0.row.size < row.size } ?? largest.count
        let above = try ancestry.names(above: row)
        largest.insert((row, above), at: index)
        if largest.count > mostLarge { largest.removeLast() }
    }

    private func countingRevisions(
        after place: String, in db: any SQLConnection
    ) throws -> (DriveInventory, String?) {
        var counted = self
        let rows = try db.query(
            "SELECT revision_id, size FROM revisions WHERE drive_id = ? AND revision_id > ? ORDER BY revision_id LIMIT ?",
            [drive.sql, place.sql, Self.step.sql])
        for row in rows { counted.versions.add(row.int64(1)) }
        return (counted, rows.count < Self.step ? nil : rows.last?.string(0))
    }

    private func countingPosts(after place: Int64, in db: any SQLConnection) throws -> (DriveInventory, Int64?) {
        var counted = self
        let contents = try AttachmentTable(db, of: drive).ofDeletedFiles(after: place, limit: Self.step)
        for content in contents { counted.posts.add(content.size) }
        return (counted, contents.count < Self.step ? nil : contents.last?.contentId)
    }
}
