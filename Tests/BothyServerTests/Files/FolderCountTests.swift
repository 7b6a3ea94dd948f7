import BothyContract
import Testing

@testable import BothyServer

/// How many entries a folder shows is kept with every write, and is what counting would say.
@Suite struct FolderCountTests {
    private static let counted = """
        SELECT drive_id, parent_id, kind, COUNT(*) FROM nodes
        WHERE trashed = 0 AND purged = 0 AND hidden = 0 AND parent_id IS NOT NULL GROUP BY drive_id, parent_id, kind
        """
    private static let kept = "SELECT drive_id, folder_id, kind, entries FROM folder_counts WHERE entries <> 0"

    private func counts(_ sql: String, _ database: SQLiteDatabase) async throws -> [String: Int64] {
        try await database.read { db in
            Dictionary(
                uniqueKeysWithValues: try db.query(sql).map {
                    ("\($0.int64(0)) \($0.string(1)) \($0.int64(2))", $0.int64(3))
                })
        }
    }

    private func hold(_ server: TestServer, _ note: String) async throws {
        let (kept, counted) = (
            try await counts(Self.kept, server.database), try await counts(Self.counted, server.database)
        )
        #expect(kept == counted, "\(note)")
    }

    @Test(arguments: [UInt64](1...8))
    func theKeptCountIsTheCountedOneWhateverIsDone(seed: UInt64) async throws {
        let server = try await TestServer()
        var random = SeededRandom(seed: seed)
        var model = DriveModel()
        model.ids.append(try await server.createFolder("first").id)
        let start = try await server.cursor()
        for step in 0..<100 {
            let note = "seed \(seed) step \(step)"
            switch Int.random(in: 0..<14, using: &random) {
            case 0: try await server.drain()
            case 1:
                let id = model.ids[Int.random(in: 0..<model.ids.count, using: &random)]
                _ = try await server.update(id, UpdateFileRequest(hidden: Bool.random(using: &random)))
            case 2:
                let id = model.ids[Int.random(in: 0..<model.ids.count, using: &random)]
                let request = CopyFileRequest(requestId: nil, name: "copy \(step)", parentId: File.rootId)
                _ = try await server.send(.post, "/v1/files/\(id)/copy", json: request)
            default:
                let operation = model.anyOperation(&random)
                let created = try await server.perform(operation).created
                if let created { model.ids.append(created) }
            }
            try await hold(server, note)
        }
        let answer = try await server.restore(RestoreRequest(requestId: nil, cursor: start))
        #expect(answer.status == 200, "\(answer.text)")
        try await hold(server, "seed \(seed), put back to its beginning")
        for id in model.ids { _ = try await server.send(.delete, "/v1/files/\(id)") }
        server.clock.advance(seconds: Retention.trash + 1)
        while try await !isEmpty("nodes WHERE trashed = 1 AND purged = 0", server) { try await server.emptyTrash() }
        try await server.drain()
        try await hold(server, "seed \(seed), drained")
        let ofNone = "folder_counts WHERE folder_id NOT IN (SELECT node_id FROM nodes)"
        #expect(try await isEmpty(ofNone, server), "a folder that is no more leaves no row")
    }

    private func isEmpty(_ rows: String, _ server: TestServer) async throws -> Bool {
        try await server.database.read { try $0.first("SELECT 1 FROM \(rows) LIMIT 1") == nil }
    }

    @Test func aWindowSaysHowManyThereAre() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("docs")
        for number in 0..<5 { _ = try await server.createFile("\(number).txt", in: folder.id) }
        _ = try await server.createFolder("inner", in: folder.id)
        let hidden = try await server.createFile("hidden.txt", in: folder.id)
        _ = try await server.update(hidden.id, UpdateFileRequest(hidden: true))
        let listing = FolderListing(parentId: folder.id, order: .name, limit: 3)
        let window = try await server.database.read { try listing.window(4..<7, in: $0, drive: 1) }
        #expect(window.total == 6 && window.rows.map(\.name) == ["3.txt", "4.txt"])
        #expect(try await server.database.read { try listing.total(in: $0, drive: 1) } == 6)
    }

    @Test func aDriveFromBeforeThereWereCountsIsCountedOnce() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("bothy.sqlite")
        let old = try await SQLiteDatabase.open(path: path, migrations: Migration.all.filter { $0.number < 8 })
        try await old.write { db in
            try db.execute("INSERT INTO drives (drive_id, owner_id, root_id) VALUES (1, 1, 'root')")
            for (id, parent, kind, trashed, purged, hidden) in [
                ("root", nil, 0, 0, 0, 0), ("a", "root", 0, 0, 0, 0), ("b", "root", 1, 0, 0, 0),
                ("c", "a", 1, 0, 0, 0), ("d", "a", 1, 0, 0, 0), ("e", "a", 1, 1, 0, 0), ("f", "a", 1, 0, 1, 0),
                ("g", "a", 1, 0, 0, 1),
            ] as [(String, String?, Int, Int, Int, Int)] {
                try db.execute(
                    """
                    INSERT INTO nodes (drive_id, node_id, serial, parent_id, name, kind, mime_type, size, version, created_ms,
                        updated_ms, modified_s, modified_ns, trashed, purged, hidden)
                    VALUES (1, ?, ?, ?, ?, ?, 'text/plain', 0, 1, 0, 0, 0, 0, ?, ?, ?)
                    """,
                    [
                        id.sql, Int(id.utf8.first!).sql, parent.sql, id.sql, kind.sql, trashed.sql, purged.sql,
                        hidden.sql,
                    ])
            }
        }
        try await old.close()
        let database = try await SQLiteDatabase.open(path: path)
        #expect(try await counts(Self.kept, database) == ["1 root 0": 1, "1 root 1": 1, "1 a 1": 2])
        try await database.close()
    }
}
