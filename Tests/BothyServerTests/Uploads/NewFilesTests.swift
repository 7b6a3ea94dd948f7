import BothyContent
import BothyContract
import BothyServer
import Testing

/// Small new files that come together leave the very rows that they leave when each comes alone.
@Suite struct NewFilesTests {
    /// What each table has, but for what is made by chance.
    private static let tables = [
        """
        SELECT serial, p.name, n.name, n.name_key, n.kind, n.mime_type, n.size, n.checksum, n.version, n.created_ms, n.updated_ms, n.modified_s,
            n.modified_ns, n.trashed, n.starred, n.hidden, n.executable, n.request_id, n.device_id, n.purged
        FROM nodes n LEFT JOIN (SELECT drive_id, node_id, name FROM nodes) p ON p.drive_id = n.drive_id AND p.node_id = n.parent_id
        WHERE n.drive_id = 1 ORDER BY serial
        """,
        """
        SELECT n.name, r.version, r.content_id, r.mime_type, r.size, r.checksum, r.created_ms, r.modified_s, r.modified_ns, r.device_id,
            r.sequence, r.made_lived, n.head_revision_id = r.revision_id
        FROM revisions r JOIN nodes n ON n.drive_id = r.drive_id AND n.node_id = r.node_id ORDER BY r.sequence
        """,
        "SELECT content_id, checksum, size, block_count, refs FROM contents ORDER BY content_id",
        "SELECT content_id, position, start, hash FROM content_blocks ORDER BY content_id, position",
        "SELECT hash, size, refs, counted, unreferenced_lived, damaged, stored FROM blocks ORDER BY hash",
        """
        SELECT c.sequence, c.kind, n.name, c.removed, c.at_ms, c.at_lived, c.device_id FROM changes c
        LEFT JOIN nodes n ON n.drive_id = c.drive_id AND n.node_id = c.entity_id ORDER BY c.sequence
        """,
        "SELECT last_sequence, oldest_sequence, last_content_id, used_bytes, history_from FROM drives ORDER BY drive_id",
        """
        SELECT n.name, f.kind, f.entries FROM folder_counts f JOIN nodes n ON n.drive_id = f.drive_id AND n.node_id = f.folder_id
        ORDER BY n.name, f.kind
        """,
        """
        SELECT w.word, n.name FROM name_words w JOIN nodes n ON n.drive_id = w.drive_id AND n.node_id = w.node_id
        ORDER BY w.word, n.name
        """,
        "SELECT content_id FROM texts_to_index ORDER BY content_id",
        "SELECT request_id, route, status, at_lived FROM outcomes ORDER BY request_id",
    ]

    private func rows(_ world: UploadWorld) async throws -> [[[SQLValue]]] {
        try await world.server.database.read { db in try Self.tables.map { try db.query($0).map(\.values) } }
    }

    private func items(in folder: String, _ generator: inout SeededGenerator) -> [BatchItem] {
        (0..<150).map { index in
            // Some content and some names come more than once, and some are taken.
            let content = UploadWorld.bytes(
                Int.random(in: 0..<40, using: &generator) * 7, seed: UInt64.random(in: 1...30, using: &generator))
            let name =
                "Report \(Int.random(in: 0..<90, using: &generator)).\(["txt", "jpg"].randomElement(using: &generator) ?? "")"
            let (isBelow, isTyped) = (Bool.random(using: &generator), Bool.random(using: &generator))
            return BatchItem(name, content, id: "id-\(index)") {
                $0.conflict = [.fork, .fail].randomElement(using: &generator)
                $0.parentId = isBelow ? folder : nil
                $0.mimeType = isTyped ? "text/plain" : nil
                $0.executable = index.isMultiple(of: 3) ? true : nil
                $0.modifiedAt = index.isMultiple(of: 2) ? Timestamp(seconds: 1_600_000_000, nanoseconds: 7) : nil
                if index % 40 == 7 { $0.parentId = "019a2b60-89ab-7cde-8f01-23456789abcd" }
            }
        }
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>) func togetherAndAloneLeaveTheSame(seed: UInt64) async throws {
        var kept = [[[[SQLValue]]]]()
        var codes = [[ProblemCode?]]()
        for isTogether in [true, false] {
            let world = try await UploadWorld()
            var generator = SeededGenerator(seed: seed)
            let folder = try await world.server.createFolder("below")
            let items = items(in: folder.id, &generator)
            let groups = isTogether ? [items] : items.map { [$0] }
            var outcomes = [UploadBatchOutcome]()
            for group in groups { outcomes += try await world.batch(group) }
            codes.append(outcomes.map { $0.problem?.code.known })
            kept.append(try await rows(world))
        }
        #expect(codes[0] == codes[1])
        #expect(Set(codes[0]).isSuperset(of: [nil, .nameConflict, .parentGone]))
        for (table, (together, alone)) in zip(Self.tables, zip(kept[0], kept[1])) {
            #expect(!together.isEmpty && together == alone, "\(table)")
        }
    }

    @Test func whatIsDamagedOnTheDiskIsPutRightByABatch() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(500, seed: 3)
        _ = try await world.batch([BatchItem("first", content), BatchItem("other", [1])])
        _ = try await world.server.database.write { db in
            try db.execute(
                "UPDATE blocks SET damaged = 1 WHERE hash = ?", [SHA256Hasher.hash(content).sql])
        }
        let outcomes = try await world.batch([BatchItem("second", content), BatchItem("third", [2])])
        #expect(outcomes.map(\.status) == [201, 201])
        let damaged = "SELECT 1 FROM blocks WHERE damaged = 1"
        #expect(try await world.server.database.read { try $0.query(damaged).isEmpty })
        #expect(try await world.content(of: "first") == content)
    }
}
