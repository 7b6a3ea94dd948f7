import BothyContract
import BothyServer
import HTTPTypes
import Testing

@Suite struct TrashTests {
    private static func untrash(name: String? = nil, parentId: String? = nil) -> UpdateFileRequest {
        UpdateFileRequest(name: name, parentId: parentId, trashed: false)
    }

    @Test func aDeletedFolderGoesToTheTrashWithAllThatLiesBelow() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("f")
        let inner = try await server.createFolder("g", in: folder.id)
        let file = try await server.createFile("x", in: inner.id)
        let before = try await server.cursor()
        let answer = try await server.send(.delete, "/v1/files/\(folder.id)")
        #expect(answer.status == 204 && answer.eTag == "\"1-2\"")
        #expect(answer.cursor == (try await server.cursor()))
        #expect(try await server.names().isEmpty)
        #expect(try await server.list("trashed=true").map(\.id) == [folder.id])
        #expect(try await server.file(file.id).trashed)
        #expect(try await server.list("parentId=\(inner.id)").map(\.trashed) == [true])
        #expect(try await server.changes(after: before).changes.map(\.id) == [folder.id])
        #expect(try await server.send(.get, "/v1/files/by-path?path=/f").code == .notFound)
        // Again changes nothing.
        #expect(try await server.send(.delete, "/v1/files/\(folder.id)").cursor == answer.cursor)
    }

    @Test func aNameInTheTrashIsFreeAgainAndComesBackWithACounter() async throws {
        let server = try await TestServer()
        let first = try await server.createFile("report.pdf")
        _ = try await server.send(.delete, "/v1/files/\(first.id)")
        _ = try await server.createFile("report.pdf")
        let back = try await server.update(first.id, Self.untrash()).file()
        #expect(back.name == "report (1).pdf" && !back.trashed)
        _ = try await server.send(.delete, "/v1/files/\(first.id)")
        #expect(try await server.update(first.id, Self.untrash(name: "report.pdf")).code == .nameConflict)
        #expect(try await server.update(first.id, Self.untrash(name: "other.pdf")).file().name == "other.pdf")
    }

    @Test func untrashingBringsMissingParentsBack() async throws {
        let server = try await TestServer()
        let top = try await server.createFolder("top")
        let middle = try await server.createFolder("middle", in: top.id)
        let file = try await server.createFile("x", in: middle.id)
        for id in [file.id, middle.id, top.id] { _ = try await server.send(.delete, "/v1/files/\(id)") }
        _ = try await server.createFolder("top")
        let before = try await server.cursor()
        let answer = try await server.update(file.id, Self.untrash())
        #expect(try answer.file().trashed == false)
        #expect(try await server.file(top.id).name == "top (1)")
        #expect(try await server.list("trashed=true").isEmpty)
        #expect(try await server.changes(after: before).changes.map(\.id) == [top.id, middle.id, file.id])
        #expect(try await server.send(.get, "/v1/files/by-path?path=/top%20(1)/middle/x").status == 200)
    }

    @Test func whatLiesInATrashedFolderComesBackWithIt() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("f")
        let file = try await server.createFile("x", in: folder.id)
        _ = try await server.send(.delete, "/v1/files/\(folder.id)")
        let answer = try await server.update(file.id, Self.untrash())
        #expect(try answer.file().trashed == false)
        #expect(answer.cursor == (try await server.cursor()))
        #expect(try await server.names() == ["f"])
    }

    @Test func somethingCanBeMovedOutOfATrashedFolder() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("f")
        let file = try await server.createFile("x", in: folder.id)
        _ = try await server.send(.delete, "/v1/files/\(folder.id)")
        let answer = try await server.update(file.id, Self.untrash(parentId: File.rootId))
        #expect(try answer.file().trashed == false)
        #expect(try await server.names() == ["x"])
        #expect(try await server.list("trashed=true").map(\.id) == [folder.id])
    }

    @Test func theTrashListsTheLastFirstAndPages() async throws {
        let server = try await TestServer()
        var ids = [String]()
        for name in ["a", "b", "c", "d", "e"] {
            let file = try await server.createFile(name)
            ids.append(file.id)
            server.clock.advance(seconds: 1)
            _ = try await server.send(.delete, "/v1/files/\(file.id)")
        }
        #expect(try await server.list("trashed=true", limit: 2).map(\.id) == ids.reversed())
    }

    @Test func anEditBringsAFileBackFromTheTrash() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("f")
        let file = try await server.commit("one", FilePlacement(name: "x", parentId: folder.id)).file
        _ = try await server.send(.delete, "/v1/files/\(folder.id)")
        _ = try await server.commit("two", FilePlacement(fileId: file.id, name: "x"))
        #expect(try await server.file(file.id).trashed == false)
        #expect(try await server.names() == ["f"])
    }

    @Test func permanentDeletionIsOneChangeAndIsRemembered() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("f")
        let inner = try await server.createFolder("g", in: folder.id)
        let file = try await server.commit("hello", FilePlacement(name: "x.txt", parentId: inner.id)).file
        let before = try await server.cursor()
        let answer = try await server.send(.delete, "/v1/files/\(folder.id)?permanent=true", as: .phone)
        #expect(answer.status == 204)
        for id in [folder.id, inner.id, file.id] {
            #expect(try await server.send(.get, "/v1/files/\(id)").code == .notFound)
            #expect(try await server.send(.delete, "/v1/files/\(id)").code == .notFound)
        }
        #expect(try await server.send(.get, "/v1/files?parentId=\(inner.id)").code == .notFound)
        #expect(try await server.send(.get, "/v1/files/\(file.id)/revisions").code == .notFound)
        let changes = try await server.changes(after: before).changes
        #expect(changes == [Change(kind: .file, id: folder.id, removed: true)])

        try await server.drain()
        let told = try await server.changes(after: before).changes
        #expect(Set(told.map(\.id)) == [folder.id, inner.id, file.id] && told.allSatisfy(\.removed))
        let remembered = try await server.deletions()
        #expect(Set(remembered.map(\.path)) == ["/f", "/f/g", "/f/g/x.txt"])
        #expect(remembered.allSatisfy { $0.deviceId == "phone" })
        #expect(remembered.first { $0.fileId == file.id }?.checksum == file.checksum)
        let left = try await server.database.read { db in
            try ["nodes", "revisions", "contents", "content_blocks"].map {
                try db.first("SELECT COUNT(*) FROM \($0) WHERE drive_id = 1")?.int64(0)
            }
        }
        #expect(left == [1, 0, 0, 0])
        #expect(try await server.changes(after: nil).changes.map(\.id) == [File.rootId])
    }

    @Test func theTrashEmptiesItselfAfterThirtyLivedDays() async throws {
        let server = try await TestServer()
        let old = try await server.createFile("old")
        _ = try await server.send(.delete, "/v1/files/\(old.id)")
        server.clock.jump(seconds: 400 * 86_400)
        try await server.emptyTrash()
        #expect(try await server.list("trashed=true").count == 1, "a calendar that jumps purges nothing")
        server.clock.advance(seconds: 30 * 86_400 + 1)
        try await server.emptyTrash()
        #expect(try await server.list("trashed=true").isEmpty)
        #expect(try await server.deletions().map(\.path) == ["/old"])
    }
}

@Suite struct CarefulDeletionTests {
    @Test func aFolderWithSomethingNewInItIsNotDeleted() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("f")
        let inner = try await server.createFolder("g", in: folder.id)
        let seen = try await server.cursor()
        let file = try await server.createFile("new", in: inner.id)
        for query in ["asOf=\(seen)", "asOf=\(seen)&permanent=true"] {
            let answer = try await server.send(.delete, "/v1/files/\(folder.id)?\(query)")
            #expect(answer.status == 409 && answer.code == .subtreeChanged)
        }
        #expect(try await server.file(file.id).trashed == false)
        let now = try await server.cursor()
        _ = try await server.createFile("elsewhere")
        #expect(try await server.send(.delete, "/v1/files/\(folder.id)?asOf=\(now)").status == 204)
    }

    @Test func whatMovedInCountsAsNewAndWhatMovedOutDoesNot() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("f")
        let inside = try await server.createFile("inside", in: folder.id)
        let outside = try await server.createFolder("outside")
        let seen = try await server.cursor()
        var request = UpdateFileRequest()
        request.parentId = File.rootId
        _ = try await server.update(inside.id, request)
        request.parentId = folder.id
        _ = try await server.update(outside.id, request)
        #expect(try await server.send(.delete, "/v1/files/\(folder.id)?asOf=\(seen)").code == .subtreeChanged)
        request.parentId = File.rootId
        _ = try await server.update(outside.id, request)
        #expect(try await server.send(.delete, "/v1/files/\(folder.id)?asOf=\(seen)").status == 204)
    }

    @Test func aFileWithANewerRevisionIsNotDeleted() async throws {
        let server = try await TestServer()
        let first = try await server.commit("one", FilePlacement(name: "x"))
        let second = try await server.commit("two", FilePlacement(fileId: first.file.id, name: "x"))
        let path = "/v1/files/\(first.file.id)"
        let answer = try await server.send(.delete, "\(path)?baseRevisionId=\(first.revision.id)")
        #expect(answer.status == 409 && answer.code == .revisionConflict)
        #expect(try answer.problem().currentRevisionId == second.revision.id)
        #expect(try await server.send(.delete, "\(path)?baseRevisionId=\(second.revision.id)").status == 204)
    }

    @Test(arguments: ["", "c1", "c1.1.zz.1", "c1.2.1.1", "c1.1.999999.1", "c1.-1.1.1", "l1.1.1.1.1", "%00", "c1.1.0.1"])
    func aCursorThatNobodyMadeDeletesNothing(cursor: String) async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("f")
        #expect(try await server.send(.delete, "/v1/files/\(folder.id)?asOf=\(cursor)").code == .cursorExpired)
        #expect(try await server.file(folder.id).trashed == false)
    }

    /// Each file took with it what it was made of, all hundred in one step.
    @Test func oneStepOfDrainingTakesFewBlocksAlsoOfManyLargeFiles() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("f")
        let stamp = server.parts.stamps.stamp(for: TestCaller.kitchen.caller)
        let (files, each) = (100, 500)
        for number in 0..<files {
            try await server.database.write { db in
                let blocks = try (0..<each).map { place -> BlockReference in
                    let name = number * each + place
                    let bytes = (0..<32).map { UInt8(truncatingIfNeeded: name >> (8 * ($0 & 3))) }
                    return BlockReference(sha256: try #require(ContentHash(bytes: bytes)), size: 8192)
                }
                let id = try ContentTable(db, drive: 1)
                    .insert(checksum: blocks[0].sha256, size: Int64(each) * 8192, blocks: blocks)
                let placement = FilePlacement(name: "\(number)", parentId: folder.id)
                _ = try FileCommit.commit(FileCommit(placement: placement, contentId: id), in: db, stamp: stamp)
            }
        }
        #expect(try await server.send(.delete, "/v1/files/\(folder.id)?permanent=true").status == 204)
        func left() async throws -> Int {
            try await server.database.read { try $0.first("SELECT count(*) FROM content_blocks")?.int(0) ?? 0 }
        }
        let stamps = server.parts.stamps
        var before = try await left()
        #expect(before == files * each)
        var steps = 0
        while try await server.database.write({ try Purge.drain(in: $0, stamps: stamps) }) {
            let after = try await left()
            #expect(before - after <= RevisionTable.mostBlocks + each)
            (before, steps) = (after, steps + 1)
            try #require(steps < 200)
        }
        #expect(try await left() == 0)
        #expect(steps >= files * each / (RevisionTable.mostBlocks + each) - 1)
    }

    /// A folder of 200 files with 200 versions each kept everybody waiting for seconds.
    @Test func oneStepOfDrainingTakesFewRowsAlsoOfFilesWithManyVersions() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("f")
        for number in 0..<6 {
            let file = try await server.commit("0", FilePlacement(name: "\(number)", parentId: folder.id)).file
            for version in 1..<60 {
                _ = try await server.commit(
                    "\(version)", FilePlacement(fileId: file.id, name: "x", conflict: .overwrite))
            }
        }
        #expect(try await server.send(.delete, "/v1/files/\(folder.id)?permanent=true").status == 204)
        func left() async throws -> Int {
            try await server.database.read { try $0.first("SELECT count(*) FROM revisions")?.int(0) ?? 0 }
        }
        let (before, stamps) = (try await left(), server.parts.stamps)
        #expect(try await server.database.write { try Purge.drain(in: $0, stamps: stamps) })
        let after = try await left()
        #expect(after < before && before - after <= Purge.batch + 60)
        try await server.drain()
        #expect(try await left() == 0)
        let nodes = try await server.database.read {
            try $0.first("SELECT count(*) FROM nodes WHERE drive_id = 1")?.int(0)
        }
        #expect(nodes == 1)
    }
}
