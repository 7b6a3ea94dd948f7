import BothyContract
import BothyServer
import HTTPTypes
import Testing

@Suite struct MovingTests {
    @Test func renamingAndMovingAndStarringAreOneChange() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("docs")
        let file = try await server.createFile("a")
        let before = try await server.cursor()
        var request = UpdateFileRequest()
        request.name = "b"
        request.parentId = folder.id
        request.starred = true
        let answer = try await server.update(file.id, request, as: .phone)
        let moved = try answer.file()
        #expect(answer.eTag == "\"1-2\"")
        #expect(moved.name == "b" && moved.parentId == folder.id && moved.starred && moved.deviceId == "phone")
        let changes = try await server.changes(after: before).changes
        #expect(changes.map(\.id) == [file.id])
        #expect(changes[0].file?.version == 2)
        #expect(answer.cursor == (try await server.cursor()))
    }

    @Test func aChangeThatChangesNothingIsNone() async throws {
        let server = try await TestServer()
        let file = try await server.createFile("a")
        let before = try await server.cursor()
        var request = UpdateFileRequest()
        request.name = "a"
        request.starred = false
        let answer = try await server.update(file.id, request)
        #expect(answer.status == 200 && answer.cursor == before)
        #expect(try answer.file().version == 1)
    }

    @Test func aFolderDoesNotGoIntoItselfOrBelow() async throws {
        let server = try await TestServer()
        let top = try await server.createFolder("top")
        let middle = try await server.createFolder("middle", in: top.id)
        let low = try await server.createFolder("low", in: middle.id)
        for target in [top.id, middle.id, low.id] {
            var request = UpdateFileRequest()
            request.parentId = target
            #expect(try await server.update(top.id, request).code == .cycle)
        }
        #expect(try await server.file(top.id) == top)
    }

    @Test func nothingIsMovedDeeperThanItCouldBeMade() async throws {
        let server = try await TestServer()
        func chain(_ count: Int, in parent: String = File.rootId, _ name: String) async throws -> [String] {
            var (ids, last) = ([String](), parent)
            for _ in 0..<count {
                last = try await server.createFolder(name, in: last).id
                ids.append(last)
            }
            return ids
        }
        // The root counts: under 600 folders 400 more may lie.
        let (long, other) = (try await chain(600, "a"), try await chain(401, "b"))
        let moved = try await server.update(other[0], UpdateFileRequest(parentId: long[599]))
        #expect(moved.code == .invalidParameter)
        #expect(try await server.update(other[0], UpdateFileRequest(parentId: long[598])).status == 200)
        #expect(try await server.update(other[0], UpdateFileRequest(parentId: long[10])).status == 200, "less deep")
    }

    @Test func twoFoldersMovedIntoEachOtherAtOnceMakeNoCycle() async throws {
        let server = try await TestServer()
        for round in 0..<10 {
            let a = try await server.createFolder("a\(round)")
            let b = try await server.createFolder("b\(round)")
            async let first = server.update(a.id, UpdateFileRequest(parentId: b.id))
            async let second = server.update(b.id, UpdateFileRequest(parentId: a.id), as: .phone)
            let codes = try await [first.code, second.code]
            #expect(codes.contains(nil) && codes.contains(.cycle), "\(codes)")
        }
        #expect(try await server.wholeListing().count == 20, "everything can still be reached from the root")
    }

    @Test func aTakenNameIsAConflictThatNamesItsHolder() async throws {
        let server = try await TestServer()
        let a = try await server.createFile("a")
        let b = try await server.createFile("b")
        var request = UpdateFileRequest()
        request.name = "a"
        let answer = try await server.update(b.id, request)
        #expect(answer.status == 409 && answer.code == .nameConflict)
        #expect(try answer.problem().conflictingFileId == a.id)
        #expect(try await server.file(b.id) == b)
    }

    @Test func aParentThatIsGoneOrNoFolderIsRefused() async throws {
        let server = try await TestServer()
        let file = try await server.createFile("a")
        let folder = try await server.createFolder("f")
        let strangers = try await server.createFolder("s", as: .stranger)
        for (parent, code) in [
            ("no-such", ProblemCode.parentGone), (strangers.id, .parentGone), (file.id, .notAFolder),
        ] {
            var request = UpdateFileRequest()
            request.parentId = parent
            #expect(try await server.update(folder.id, request).code == code)
            let create = CreateFileRequest(requestId: nil, name: "x", mimeType: nil, parentId: parent)
            #expect(try await server.send(.post, "/v1/files", json: create).code == code)
            let copy = CopyFileRequest(requestId: nil, name: "x", parentId: parent)
            #expect(try await server.send(.post, "/v1/files/\(file.id)/copy", json: copy).code == code)
        }
        _ = try await server.send(.delete, "/v1/files/\(folder.id)")
        let create = CreateFileRequest(requestId: nil, name: "x", mimeType: nil, parentId: folder.id)
        #expect(try await server.send(.post, "/v1/files", json: create).code == .parentGone)
    }

    @Test func theRootStaysAsItIs() async throws {
        let server = try await TestServer()
        var request = UpdateFileRequest()
        request.starred = true
        #expect(try await server.update(File.rootId, request).code == .rootImmutable)
        #expect(try await server.send(.delete, "/v1/files/root").code == .rootImmutable)
        #expect(try await server.send(.delete, "/v1/files/root?permanent=true").code == .rootImmutable)
        let copy = CopyFileRequest(requestId: nil, name: "x", parentId: nil)
        #expect(try await server.send(.post, "/v1/files/root/copy", json: copy).code == .cycle)
    }

    @Test func ifMatchHoldsAChangeToTheVersionThatWasSeen() async throws {
        let server = try await TestServer()
        let file = try await server.createFile("a")
        let bodies = ["{\"starred\": true}", "{\"hidden\": true}"]
        for tag in ["\"1-2\"", "\"2-1\"", "1-1", "W/\"1-1\"", "\"\"", "nonsense"] {
            let answer = try await server.send(
                .patch, "/v1/files/\(file.id)", text: bodies[0], headers: [.ifMatch: tag])
            #expect(answer.status == 412 && answer.code == .versionMismatch, "\(tag)")
            #expect(try answer.problem().currentVersion == 1)
            let delete = try await server.send(.delete, "/v1/files/\(file.id)", headers: [.ifMatch: tag])
            #expect(delete.code == .versionMismatch)
        }
        #expect(try await server.file(file.id) == file)
        for (tag, body) in zip(["\"9-9\", \"1-1\"", "*"], bodies) {
            let answer = try await server.send(.patch, "/v1/files/\(file.id)", text: body, headers: [.ifMatch: tag])
            #expect(answer.status == 200, "\(tag)")
        }
    }

    @Test func theContentsOwnTimeIsKeptToTheNanosecond() async throws {
        let server = try await TestServer()
        let file = try await server.createFile("a")
        var request = UpdateFileRequest()
        request.modifiedAt = Timestamp(seconds: -5, nanoseconds: 123_456_789)
        #expect(try await server.update(file.id, request).file().modifiedAt == request.modifiedAt)
        #expect(try await server.file(file.id).modifiedAt == request.modifiedAt)
    }

    @Test func aCopyHasTheContentAndAHistoryOfItsOwn() async throws {
        let server = try await TestServer()
        let source = try await server.commit("hello", FilePlacement(name: "a.txt")).file
        let copy = CopyFileRequest(requestId: "c1", name: "b.txt", parentId: nil)
        let answer = try await server.send(.post, "/v1/files/\(source.id)/copy", json: copy)
        let file = try answer.file()
        #expect(answer.status == 201)
        #expect(file.checksum == source.checksum && file.size == 5 && file.id != source.id)
        #expect(file.downloadUrl != nil && file.headRevisionId != source.headRevisionId)
        let refs = try await server.database.read { try $0.first("SELECT refs FROM contents")?.int64(0) }
        #expect(refs == 2)
        #expect(try await server.send(.post, "/v1/files/\(source.id)/copy", json: copy).file().id == file.id)
        let taken = CopyFileRequest(requestId: nil, name: "b.txt", parentId: nil)
        #expect(try await server.send(.post, "/v1/files/\(source.id)/copy", json: taken).code == .nameConflict)
    }

    @Test func foldersLieNoDeeperThanTheLimit() async throws {
        let server = try await TestServer()
        let stamp = server.parts.stamps.stamp(for: TestCaller.kitchen.caller)
        let deepest = try await server.database.write { db in
            var parentId = File.rootId
            for _ in 0..<(FileLimits.maximumDepth - 1) {
                let creation = FileCreation(
                    name: "d", mimeType: File.folderMimeType, parentId: parentId, requestId: nil)
                parentId = try creation.perform(in: db, stamp: stamp).row.id
            }
            return parentId
        }
        let last = try await server.createFolder("d", in: deepest)
        let create = CreateFileRequest(requestId: nil, name: "x", mimeType: nil, parentId: last.id)
        #expect(try await server.send(.post, "/v1/files", json: create).code == .invalidParameter)
    }
}
