import BothyContract
import Testing

@testable import BothyServer

/// A folder of 200,000 others that was moved kept everybody's writes waiting while all of them were looked through.
@Suite struct DepthLookTests {
    /// Folders in one another, the outermost first.
    private func chain(_ count: Int, _ name: String, _ server: TestServer) async throws -> [String] {
        let stamp = server.parts.stamps.stamp(for: TestCaller.kitchen.caller)
        return try await server.database.write { db in
            var ids = [String]()
            for _ in 0..<count {
                let creation = FileCreation(
                    name: name, mimeType: File.folderMimeType, parentId: ids.last ?? File.rootId, requestId: nil)
                ids.append(try creation.perform(in: db, stamp: stamp).row.id)
            }
            return ids
        }
    }

    /// Moves a folder by what was seen of it.
    private func move(_ update: FileUpdate, on database: WatchedDatabase, _ server: TestServer) async throws
        -> ProblemCode?
    {
        let stamp = server.parts.stamps.stamp(for: TestCaller.kitchen.caller)
        return try await problemCode {
            try await database.write { db in _ = try update.perform(in: db, stamp: stamp) }
        }
    }

    private func update(_ id: String, to parentId: String, _ server: TestServer) async throws -> FileUpdate {
        var update = FileUpdate(id: id, request: UpdateFileRequest(parentId: parentId))
        update.seen = try await DepthLook.taken(for: update, of: 1, in: server.database)
        #expect(update.seen != nil)
        return update
    }

    private func walks(_ database: WatchedDatabase) -> Int {
        database.statements.count { $0.contains("WITH RECURSIVE inside") }
    }

    @Test func whatWasSeenIsNotLookedUpAgainWhileOthersWait() async throws {
        let server = try await TestServer()
        let database = WatchedDatabase(server.database)
        let (long, other) = (try await chain(600, "a", server), try await chain(400, "b", server))
        // The root counts: under 600 folders 400 more may lie.
        let fits = try await update(other[0], to: long[599], server)
        _ = try await server.createFolder("elsewhere")
        #expect(try await move(fits, on: database, server) == nil)
        #expect(walks(database) == 0)

        let deep = try await chain(402, "c", server)
        let refused = try await update(deep[0], to: long[599], server)
        #expect(try await move(refused, on: database, server) == .invalidParameter)
        #expect(walks(database) == 0)
    }

    @Test func whatCameSinceCounts() async throws {
        let server = try await TestServer()
        let database = WatchedDatabase(server.database)
        let (long, other) = (try await chain(600, "a", server), try await chain(400, "b", server))
        let overtaken = try await update(other[0], to: long[599], server)
        let late = try await server.createFile("late", in: other[399])
        #expect(try await move(overtaken, on: database, server) == .invalidParameter)
        #expect(try await server.send(.delete, "/v1/files/\(late.id)").status == 204)
        #expect(try await move(overtaken, on: database, server) == nil, "what lies in the trash does not count")
    }

    @Test func aFolderThatWasMovedInSinceIsLookedThrough() async throws {
        let server = try await TestServer()
        let database = WatchedDatabase(server.database)
        let (long, other) = (try await chain(600, "a", server), try await chain(400, "b", server))
        let guests = try await chain(5, "c", server)
        let overtaken = try await update(other[0], to: long[599], server)
        #expect(try await server.update(guests[0], UpdateFileRequest(parentId: other[397])).status == 200)
        #expect(try await move(overtaken, on: database, server) == .invalidParameter)
        #expect(walks(database) == 1)
        #expect(try await server.update(guests[0], UpdateFileRequest(parentId: File.rootId)).status == 200)
        #expect(try await move(overtaken, on: database, server) == nil)
    }

    @Test func whatMovesNoDeeperIsNotLookedAt() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("folder")
        let inner = try await server.createFolder("inner", in: folder.id)
        let file = try await server.createFile("file")
        for (id, request) in [
            (inner.id, UpdateFileRequest(parentId: File.rootId)), (file.id, UpdateFileRequest(parentId: inner.id)),
            (folder.id, UpdateFileRequest(name: "other")), ("no-such", UpdateFileRequest(parentId: folder.id)),
        ] {
            let look = try await DepthLook.taken(
                for: FileUpdate(id: id, request: request), of: 1, in: server.database)
            #expect(look == nil)
        }
    }
}
