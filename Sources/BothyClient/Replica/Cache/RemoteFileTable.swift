import BothyContract
import Foundation
import GRDB

/// The table `remote_files`: what the server said, as of the replica's cursor. Only `PageIntake` writes it.
enum RemoteFileTable {
    /// Folders come before files.
    static let (folderRank, fileRank) = (0, 1)

    private static let columns = """
        f.luid, f.parent, f.name, f.mime_type, f.size, f.checksum, f.head_revision_id, f.version, f.created_ms, \
        f.updated_ms, f.modified_s, f.modified_ns, f.trashed_ms, f.starred, f.hidden, f.executable, f.request_id, \
        f.device_id, f.media, f.rank, l.server_id
        """
    private static let source = "remote_files f JOIN luids l ON l.luid = f.luid"

    // MARK: - Reading

    static func find(_ luid: LUID, in db: Database) throws -> ReplicaFile? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT \(columns) FROM \(source) WHERE f.luid = ?"), arguments: [luid.value]
        ).map(file)
    }

    /// What has this name in a folder and is not in the trash.
    static func child(named name: String, of parent: LUID, in db: Database) throws -> LUID? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT luid FROM remote_files
                    WHERE parent = ? AND rank IN (\(folderRank), \(fileRank)) AND name = ? AND trashed_ms IS NULL
                    LIMIT 1
                    """),
            arguments: [parent.value, name]
        ).map(LUID.init)
    }

    /// Calls `body` with each child of a folder, folders first, then by name in the order of UTF-8 bytes; trashed ones
    /// too.
    static func forEachChild(of parent: LUID, in db: Database, _ body: (ReplicaFile) throws -> Void) throws {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT \(columns) FROM \(source) WHERE f.parent = ? ORDER BY f.rank, f.name"),
            arguments: [parent.value])
        while let row = try rows.next() { try body(file(row)) }
    }

    /// The ids of everything below a folder, trashed things too; the folder itself is not among them.
    static func descendants(of folder: LUID, in db: Database) throws -> [LUID] {
        try Int64.fetchAll(
            db,
            sql: """
                WITH RECURSIVE below (luid) AS (
                    SELECT luid FROM remote_files WHERE parent = ?
                    UNION SELECT f.luid FROM remote_files f JOIN below b ON f.parent = b.luid
                ) SELECT luid FROM below
                """,
            arguments: [folder.value]
        ).map(LUID.init)
    }

    /// A folder itself and the folders below it, in the trash or not.
    static func folders(below folder: LUID, in db: Database) throws -> [LUID] {
        try Int64.fetchAll(
            db,
            sql: """
                WITH RECURSIVE below (luid) AS (
                    SELECT ?
                    UNION SELECT f.luid FROM remote_files f JOIN below b ON f.parent = b.luid AND f.rank = \(folderRank)
                ) SELECT luid FROM below
                """,
            arguments: [folder.value]
        ).map(LUID.init)
    }

    /// How many files each folder has that are not in the trash and have no star; folders without any are not among them.
    static func countsOfFiles(in db: Database) throws -> [(folder: LUID, files: Int)] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT parent, count(*) FROM remote_files
                WHERE rank = \(fileRank) AND trashed_ms IS NULL AND starred = 0 AND parent IS NOT NULL GROUP BY parent
                """
        ).map { row in (LUID(row[0]), row[1]) }
    }

    /// A folder's files, without folders, without what is in the trash, and without what has a star.
    static func files(of folder: LUID, in db: Database) throws -> [LUID] {
        try Int64.fetchAll(
            db,
            sql: """
                SELECT luid FROM remote_files
                WHERE parent = ? AND rank = \(fileRank) AND trashed_ms IS NULL AND starred = 0
                """,
            arguments: [folder.value]
        ).map(LUID.init)
    }

    /// Everything below a folder that is not in the trash, each folder before what is in it.
    static func live(below folder: LUID, in db: Database) throws -> [ReplicaFile] {
        // Rows are read while the statement stands on them: copies of them would be decoded the slow way.
        let rows = try Row.fetchCursor(
            db,
            sql: """
                WITH RECURSIVE below (luid, depth) AS (
                    SELECT luid, 1 FROM remote_files WHERE parent = ? AND trashed_ms IS NULL
                    UNION ALL SELECT f.luid, b.depth + 1 FROM remote_files f JOIN below b ON f.parent = b.luid
                    WHERE f.trashed_ms IS NULL AND b.depth <= \(FileLimits.maximumDepth)
                ) SELECT \(columns) FROM below b JOIN remote_files f ON f.luid = b.luid
                JOIN luids l ON l.luid = f.luid ORDER BY b.depth
                """,
            arguments: [folder.value])
        return try Array(rows.map(file))
    }

    /// Folders that were put into the trash themselves.
    static func trashedFolders(in db: Database) throws -> [LUID] {
        try Int64.fetchAll(
            db, sql: "SELECT luid FROM remote_files WHERE trashed_ms IS NOT NULL AND rank = \(folderRank)"
        ).map(LUID.init)
    }

    static func trashed(in db: Database) throws -> [ReplicaFile] {
        try Row.fetchAll(db, sql: "SELECT \(columns) FROM \(source) WHERE f.trashed_ms IS NOT NULL").map(file)
    }

    /// What has a star, in folders that are in the trash too.
    static func starred(in db: Database) throws -> [ReplicaFile] {
        try Row.fetchAll(db, sql: "SELECT \(columns) FROM \(source) WHERE f.starred = 1 AND f.trashed_ms IS NULL")
            .map(file)
    }

    /// What lies in the trash by itself, with everything below.
    static func trashedTrees(in db: Database) throws -> [ReplicaFile] {
        try Row.fetchAll(
            db,
            sql: """
                WITH RECURSIVE gone (luid, depth) AS (
                    SELECT luid, 1 FROM remote_files WHERE trashed_ms IS NOT NULL
                    UNION SELECT f.luid, g.depth + 1 FROM remote_files f JOIN gone g ON f.parent = g.luid
                    WHERE g.depth <= \(FileLimits.maximumDepth)
                ) SELECT \(columns) FROM \(source) WHERE f.luid IN (SELECT luid FROM gone)
                """
        ).map(file)
    }

    /// Files and folders whose names have all the terms somewhere, as far as that is cheap to tell: a name with signs that
    /// may be folded is always among them. Trashed ones too.
    ///
    /// - Parameter terms: letters and digits, folded.
    static func named(like terms: [String], most: Int, in db: Database) throws -> [ReplicaFile] {
        // LIKE goes by ASCII's case alone.
        let plain = terms.filter { $0.utf8.allSatisfy { $0 < 0x80 } }
        let conditions = plain.map { _ in "(f.name LIKE ? OR f.name GLOB '*[^ -~]*')" } + ["f.parent IS NOT NULL"]
        return try Row.fetchAll(
            db,
            sql: "SELECT \(columns) FROM \(source) WHERE \(conditions.joined(separator: " AND ")) LIMIT \(most)",
            arguments: StatementArguments(plain.map { "%\($0)%" })
        ).map(file)
    }

    /// Files and their bytes by media type, those in folders that are in the trash too.
    static func use(in db: Database) throws -> [String: StorageUse.Part] {
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT mime_type, count(*), sum(size) FROM remote_files WHERE rank = \(fileRank) GROUP BY mime_type")
        return Dictionary(
            rows.map { row in (row[0] ?? File.defaultMimeType, StorageUse.Part(count: row[1], bytes: row[2])) },
            uniquingKeysWith: { first, second in
                StorageUse.Part(count: first.count + second.count, bytes: first.bytes + second.bytes)
            })
    }

    /// The largest files that are not in the trash, the largest first.
    static func largest(_ count: Int, in db: Database) throws -> [ReplicaFile] {
        try Row.fetchAll(
            db,
            sql: """
                WITH RECURSIVE gone (luid) AS (
                    SELECT luid FROM remote_files WHERE trashed_ms IS NOT NULL
                    UNION SELECT f.luid FROM remote_files f JOIN gone g ON f.parent = g.luid
                ) SELECT \(columns) FROM \(source)
                WHERE f.rank = \(fileRank) AND f.luid NOT IN (SELECT luid FROM gone) ORDER BY f.size DESC LIMIT ?
                """,
            arguments: [count]
        ).map(file)
    }

    /// Whose newest content each of some revisions is.
    static func owners(ofRevisions revisions: Set<String>, in db: Database) throws -> [String: LUID] {
        guard !revisions.isEmpty else { return [:] }
        var owners = [String: LUID]()
        let rows = try Row.fetchCursor(
            db, sql: "SELECT head_revision_id, luid FROM remote_files WHERE head_revision_id IS NOT NULL")
        while let row = try rows.next() {
            let revision: String = row[0]
            if revisions.contains(revision) { owners[revision] = LUID(row[1]) }
        }
        return owners
    }

    /// Whether a file has exactly so many bytes.
    static func hasFile(ofSize size: Int64, in db: Database) throws -> Bool {
        try Int.fetchOne(
            db, sql: "SELECT 1 FROM remote_files WHERE rank = \(fileRank) AND size = ? LIMIT 1", arguments: [size])
            != nil
    }

    static func count(in db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM remote_files") ?? 0
    }

    private static func file(_ row: Row) -> ReplicaFile {
        let luid: Int64 = row[0]
        let parent: Int64? = row[1]
        let rank: Int = row[19]
        let trashed: Int64? = row[12]
        let mime: String? = row[3]
        let checksum: Data? = row[5]
        let media: String? = row[18]
        return ReplicaFile(
            luid: LUID(luid), serverId: row[20], parent: parent.map(LUID.init), name: row[2],
            mimeType: mime ?? (rank == folderRank ? File.folderMimeType : File.defaultMimeType), size: row[4],
            checksum: checksum.flatMap { ContentHash(bytes: $0) }, headRevisionId: row[6], version: row[7],
            createdAt: Timestamp(milliseconds: row[8]),
            modifiedAt: Timestamp(seconds: row[10], nanoseconds: row[11]),
            updatedAt: Timestamp(milliseconds: row[9]), trashedAt: trashed.map(Timestamp.init(milliseconds:)),
            starred: row[13], hidden: row[14], executable: row[15], requestId: row[16], deviceId: row[17],
            // What a photo says of itself is only shown; the server tells it again.
            media: media.flatMap { try? WireCoding.decode(Media.self, from: Data($0.utf8)) })
    }

    // MARK: - Writing

    /// - Parameter link: the number of the link that the row was last told in.
    static func save(_ file: ReplicaFile, link: Int64, in db: Database) throws {
        // The two commonest types are told from the rank: they need no room.
        let isCommon = file.isFolder || file.mimeType == File.defaultMimeType
        let media = try file.media.map { try WireCoding.text(of: $0) }
        try db.cachedStatement(
            sql: """
                INSERT INTO remote_files (luid, parent, rank, name, mime_type, size, checksum,
                    head_revision_id, version, created_ms, updated_ms, modified_s, modified_ns, trashed_ms, starred,
                    hidden, executable, request_id, device_id, media, link, name_key)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (luid) DO UPDATE SET parent = excluded.parent, rank = excluded.rank,
                    name = excluded.name, mime_type = excluded.mime_type, size = excluded.size,
                    checksum = excluded.checksum, head_revision_id = excluded.head_revision_id,
                    version = excluded.version, created_ms = excluded.created_ms, updated_ms = excluded.updated_ms,
                    modified_s = excluded.modified_s, modified_ns = excluded.modified_ns,
                    trashed_ms = excluded.trashed_ms, starred = excluded.starred, hidden = excluded.hidden,
                    executable = excluded.executable, request_id = excluded.request_id,
                    device_id = excluded.device_id, media = excluded.media, link = excluded.link,
                    name_key = excluded.name_key
                """
        ).write(
            [
                file.luid.value, file.parent?.value, file.isFolder ? folderRank : fileRank, file.name,
                isCommon ? nil : file.mimeType, file.size, file.checksum, file.headRevisionId, file.version,
                file.createdAt.milliseconds, file.updatedAt.milliseconds, file.modifiedAt.seconds,
                file.modifiedAt.nanoseconds, file.trashedAt?.milliseconds, file.starred, file.hidden, file.executable,
                file.requestId, file.deviceId, media, link, Data(NameOrder.key(file.name)),
            ], in: db)
    }

    static func remove(_ luid: LUID, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM remote_files WHERE luid = ?").execute(arguments: [luid.value])
    }

    /// Those that the newest link did not tell of.
    static func untold(since link: Int64, in db: Database) throws -> [LUID] {
        try Int64.fetchAll(db, sql: "SELECT luid FROM remote_files WHERE link < ?", arguments: [link]).map(LUID.init)
    }
}
