import BothyContract
import BothyServer
import Foundation
import Testing

@Suite struct FolderCopyingTests {
    private func copy(
        _ server: TestServer, _ id: String, to parentId: String? = nil, as name: String? = "copy",
        requestId: String? = nil
    ) async throws -> TestAnswer {
        let request = CopyFileRequest(requestId: requestId, name: name, parentId: parentId)
        return try await server.send(.post, "/v1/files/\(id)/copy", json: request)
    }

    /// Paths below a folder, with checksums.
    private func tree(_ server: TestServer, _ id: String, _ path: String = "") async throws -> [String: String] {
        var found = [String: String]()
        for file in try await server.list("parentId=\(id)") {
            found["\(path)/\(file.name)"] = file.checksum?.hex ?? (file.isFolder ? "folder" : "empty")
            if file.isFolder {
                found.merge(try await tree(server, file.id, "\(path)/\(file.name)")) { $1 }
            }
        }
        return found
    }

    private func album(_ server: TestServer) async throws -> File {
        let top = try await server.createFolder("album")
        let inner = try await server.createFolder("2026", in: top.id)
        _ = try await server.createFolder("empty", in: inner.id)
        _ = try await server.commit("one", FilePlacement(name: "a.jpg", parentId: inner.id))
        _ = try await server.commit("two", FilePlacement(name: "b.jpg", parentId: top.id))
        let trashed = try await server.commit("three", FilePlacement(name: "c.jpg", parentId: inner.id)).file
        _ = try await server.send(.delete, "/v1/files/\(trashed.id)")
        return top
    }

    @Test func everythingLiveBelowItIsCopiedByReferenceInOneChangeEach() async throws {
        let server = try await TestServer()
        let top = try await album(server)
        let before = try await server.database.read {
            try ChangeLog($0, drive: TestCaller.kitchen.caller.driveId).head().sequence
        }
        let answer = try await copy(server, top.id)
        #expect(answer.status == 201)
        let made = try answer.file()
        #expect(made.name == "copy" && made.isFolder && made.id != top.id)
        let source = try await tree(server, top.id)
        #expect(try await tree(server, made.id) == source && source.count == 4)
        let (head, references, used) = try await server.database.read { db in
            (
                try ChangeLog(db, drive: TestCaller.kitchen.caller.driveId).head().sequence,
                try db.query("SELECT refs FROM contents ORDER BY content_id").map { $0.int64(0) },
                try db.first("SELECT used_bytes FROM drives WHERE drive_id = 1")?.int64(0)
            )
        }
        #expect(head - before == 5)
        #expect(answer.cursor.flatMap { ChangeCursor(text: $0) }?.sequence == head)
        #expect(references == [2, 2, 1])
        #expect(used == 0)
    }

    @Test func theSameRequestCopiesOnce() async throws {
        let server = try await TestServer()
        let top = try await album(server)
        let first = try await copy(server, top.id, requestId: "r")
        let again = try await copy(server, top.id, requestId: "r")
        #expect(try again.file().id == first.file().id)
        #expect(try await server.list("parentId=root").count == 2)
        #expect(try await copy(server, top.id).code == .nameConflict)
    }

    @Test func aFolderIsNotCopiedIntoItself() async throws {
        let server = try await TestServer()
        let top = try await album(server)
        let inner = try #require(try await server.list("parentId=\(top.id)").first { $0.isFolder })
        for target in [top.id, inner.id] { #expect(try await copy(server, top.id, to: target).code == .cycle) }
        // A sibling of its own name is fine elsewhere.
        #expect(try await copy(server, inner.id, to: File.rootId, as: "2026").status == 201)
    }

    @Test func whatHoldsTooMuchIsRefusedWholeAndTheLimitIsNamed() async throws {
        let server = try await TestServer()
        let top = try await server.createFolder("many")
        let stamp = server.parts.stamps.stamp(for: TestCaller.kitchen.caller)
        try await server.database.write { db in
            for number in 0..<FileLimits.maximumCopiedItems {
                _ = try FileCreation(name: "f\(number)", mimeType: nil, parentId: top.id, requestId: nil)
                    .perform(in: db, stamp: stamp)
            }
        }
        let refused = try await copy(server, top.id)
        #expect(refused.code == .tooManyItems)
        #expect(try refused.problem().limit == Int64(FileLimits.maximumCopiedItems))
        #expect(try await server.list("parentId=root").count == 1)
        let one = try #require(try await server.list("parentId=\(top.id)").first)
        _ = try await server.send(.delete, "/v1/files/\(one.id)?permanent=true")
        let made = try await copy(server, top.id)
        #expect(made.status == 201)
        #expect(try await server.list("parentId=\(made.file().id)").count == FileLimits.maximumCopiedItems - 1)
    }

    @Test func nothingIsCopiedDeeperThanFilesMayLie() async throws {
        let server = try await TestServer()
        let top = try await server.createFolder("top")
        let inner = try await server.createFolder("inner", in: top.id)
        _ = try await server.createFile("leaf", in: inner.id)
        let stamp = server.parts.stamps.stamp(for: TestCaller.kitchen.caller)
        let deep = try await server.database.write { db in
            var chain = [File.rootId]
            for _ in 0..<(FileLimits.maximumDepth - 1) {
                let creation = FileCreation(
                    name: "d", mimeType: File.folderMimeType, parentId: chain[chain.count - 1], requestId: nil)
                chain.append(try creation.perform(in: db, stamp: stamp).row.id)
            }
            return chain
        }
        #expect(try await copy(server, top.id, to: deep[deep.count - 2]).code == .invalidParameter)
        #expect(try await copy(server, top.id, to: deep[deep.count - 3]).status == 201)
    }
}
