import BothyContract
import HTTPTypes
import Testing

@testable import BothyServer

/// How many files and folders an account may have: what has no bytes fills a disk, too.
@Suite struct DriveItemsTests {
    private static let caller = TestCaller(driveId: 7, deviceId: "kitchen")

    private func tryFolder(_ name: String, at server: TestServer) async throws -> TestAnswer {
        try await server.send(
            .post, "/v1/files", as: Self.caller,
            json: CreateFileRequest(requestId: nil, name: name, mimeType: File.folderMimeType, parentId: nil))
    }

    @Test func theLastOneThatMayBeIsMadeAndTheNextIsNot() async throws {
        let server = try await TestServer()
        try await server.addDrive(7, mostItems: 3)
        let folders = try await [
            server.createFolder("one", as: Self.caller), server.createFolder("two", as: Self.caller),
            server.createFolder("three", as: Self.caller),
        ]
        let refused = try await tryFolder("four", at: server)
        #expect(refused.status == 507)
        let problem = try refused.problem()
        #expect(problem.code == .quotaExceeded && problem.limit == 3)
        // In the trash it is still there.
        _ = try await server.update(folders[0].id, UpdateFileRequest(trashed: true), as: Self.caller)
        #expect(try await tryFolder("four", at: server).code == .quotaExceeded)
        let path = "/v1/files/\(folders[0].id)?permanent=true"
        #expect(try await server.send(.delete, path, as: Self.caller).status == 204)
        try await server.drain()
        #expect(try await tryFolder("four", at: server).status == 201)
        #expect(try await tryFolder("five", at: server).code == .quotaExceeded)
    }

    /// Seven copies of a folder of 9,000 files filled a disk.
    @Test func aFolderOfWhichNotAllFitsIsNotCopied() async throws {
        let server = try await TestServer()
        try await server.addDrive(7, mostItems: 8)
        let folder = try await server.createFolder("folder", as: Self.caller)
        for name in ["a", "b", "c"] { _ = try await server.createFolder(name, in: folder.id, as: Self.caller) }
        func copy(_ name: String) async throws -> TestAnswer {
            try await server.send(
                .post, "/v1/files/\(folder.id)/copy", as: Self.caller,
                json: CopyFileRequest(requestId: nil, name: name, parentId: nil))
        }
        #expect(try await copy("second").status == 201)
        #expect(try await copy("third").code == .quotaExceeded)
        #expect(try await server.list("parentId=root", as: Self.caller).map(\.name) == ["folder", "second"])
    }

    @Test func whatIsSetHoldsForEveryDriveAndTakesNothingAway() async throws {
        let server = try await TestServer()
        try await server.addDrive(7)
        for name in ["one", "two", "three"] { _ = try await server.createFolder(name, as: Self.caller) }
        try await server.database.write { try DriveItems.allow(2, in: $0) }
        let usage = try await server.database.read { try DriveItems($0, drive: 7).usage() }
        #expect(usage?.count == 3 && usage?.most == 2)
        #expect(try await tryFolder("four", at: server).code == .quotaExceeded)
        try await server.database.write { try DriveItems.allow(nil, in: $0) }
        #expect(try await tryFolder("four", at: server).status == 201)
    }

    @Test func aDatabaseOfBeforeIsCounted() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("bothy.sqlite")
        let old = try await SQLiteDatabase.open(path: path, migrations: Migration.all.filter { $0.number < 16 })
        try await old.write { db in
            try db.execute("INSERT INTO drives (drive_id, owner_id, root_id) VALUES (1, 1, 'root'), (2, 2, 'root')")
            let nodes: [(Int, String, String?)] = [(1, "root", nil), (1, "a", "root"), (1, "b", "a"), (2, "root", nil)]
            for (serial, (drive, id, parent)) in nodes.enumerated() {
                try db.execute(
                    """
                    INSERT INTO nodes (drive_id, node_id, serial, parent_id, name, kind, mime_type, size, version, created_ms,
                        updated_ms, modified_s, modified_ns, trashed, starred, hidden, executable, name_key)
                    VALUES (?, ?, ?, ?, ?, 0, 'a/b', 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, x'00')
                    """, [drive.sql, id.sql, serial.sql, parent.sql, id.sql])
            }
        }
        try await old.close()
        let new = try await SQLiteDatabase.open(path: path)
        #expect(try await new.read { try DriveItems($0, drive: 1).usage()?.count } == 2)
        #expect(try await new.read { try DriveItems($0, drive: 2).usage()?.count } == 0)
        try await new.close()
    }
}
