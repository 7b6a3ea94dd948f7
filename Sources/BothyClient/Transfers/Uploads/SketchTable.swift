import BothyContract
import Foundation
import GRDB
import NIOCore
import NIOFoundationCompat

/// `sketches`, one row a file: what is known here of its newest content that this device sent or fetched.
enum SketchTable {
    /// Bytes of all sketches together: enough for some twenty gigabytes of large files. Those that changed least recently go first.
    static let room = 64 << 20

    static func save(_ sketch: RevisionSketch, of fileId: String, most: Int = room, in db: Database) throws {
        let bytes = sketch.bytes
        try db.execute(
            sql: """
                INSERT INTO sketches (file_id, revision_id, changed, size, content, first_block)
                VALUES (?, ?, (SELECT coalesce(max(changed), 0) + 1 FROM sketches), ?, ?, ?)
                ON CONFLICT (file_id) DO UPDATE SET revision_id = excluded.revision_id, changed = excluded.changed,
                    size = excluded.size, content = excluded.content, first_block = excluded.first_block
                """,
            arguments: [
                fileId, sketch.revisionId, bytes.readableBytes, Data(buffer: bytes),
                sketch.blocks.first.map { Data($0.sha256.bytes) },
            ])
        try db.execute(
            sql: """
                DELETE FROM sketches WHERE file_id IN (
                    SELECT file_id FROM (
                        SELECT file_id, sum(size) OVER (ORDER BY changed DESC) AS together FROM sketches
                    ) WHERE together > ?
                )
                """, arguments: [most])
    }

    static func find(_ fileId: String, in db: Database) throws -> RevisionSketch? {
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT revision_id, content FROM sketches WHERE file_id = ?", arguments: [fileId])
        else { return nil }
        return RevisionSketch(revisionId: row["revision_id"], ByteBuffer(data: row["content"]))
    }

    /// The newest of those that begin with a block.
    static func find(beginningWith block: BlockReference, in db: Database) throws -> RevisionSketch? {
        guard
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT revision_id, content FROM sketches WHERE first_block = ? ORDER BY changed DESC LIMIT 1
                    """, arguments: [Data(block.sha256.bytes)])
        else { return nil }
        return RevisionSketch(revisionId: row["revision_id"], ByteBuffer(data: row["content"]))
    }

    static func revision(of fileId: String, in db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT revision_id FROM sketches WHERE file_id = ?", arguments: [fileId])
    }

    static func removeAll(in db: Database) throws { try db.execute(sql: "DELETE FROM sketches") }
}

extension TransferStore {
    package func keep(_ sketch: RevisionSketch, of fileId: String) async throws {
        try await transact { try SketchTable.save(sketch, of: fileId, in: $0) }
    }

    /// What an upload keeps of the same revision has more in it.
    package func keepUnlessKnown(_ sketch: RevisionSketch, of fileId: String) async throws {
        try await transact { db in
            guard try SketchTable.revision(of: fileId, in: db) != sketch.revisionId else { return }
            try SketchTable.save(sketch, of: fileId, in: db)
        }
    }

    package func sketch(of fileId: String) async throws -> RevisionSketch? {
        try await look { try SketchTable.find(fileId, in: $0) }
    }

    package func sketch(beginningWith block: BlockReference) async throws -> RevisionSketch? {
        try await look { try SketchTable.find(beginningWith: block, in: $0) }
    }
}
