import BothyContract
import BothyServer
import Foundation
import HTTPTypes
import Testing

@Suite struct RevisionTests {
    @Test func historyIsNewestFirstWhateverTheClockDid() async throws {
        let server = try await TestServer()
        let first = try await server.commit("1", FilePlacement(name: "x"))
        var ids = [first.revision.id]
        for content in ["2", "3", "4"] {
            server.clock.jump(seconds: -86_400 * 365)
            let commit = try await server.commit(content, FilePlacement(fileId: first.file.id, name: "x"))
            ids.insert(commit.revision.id, at: 0)
        }
        var found = [String]()
        var page: String?
        repeat {
            let place = page.map { "&page=\($0)" } ?? ""
            let path = "/v1/files/\(first.file.id)/revisions?limit=3\(place)"
            let response: GetRevisionsResponse = try await server.send(.get, path).json()
            found += response.revisions.map(\.revisionId)
            page = response.pagination.next
        } while page != nil
        #expect(found == ids)
    }

    @Test func aRestoreMakesANewHeadWithTheOldContent() async throws {
        let server = try await TestServer()
        let first = try await server.commit("one", FilePlacement(name: "x"))
        let second = try await server.commit("second", FilePlacement(fileId: first.file.id, name: "x"))
        let path = "/v1/files/\(first.file.id)/revisions"
        let stale = try await server.send(
            .post, "\(path)/\(first.revision.id)/restore", headers: [.ifMatch: "\"1-1\""])
        #expect(stale.code == .versionMismatch)
        let answer = try await server.send(
            .post, "\(path)/\(first.revision.id)/restore", headers: [.idempotencyKey: "r1", .ifMatch: "\"1-2\""])
        let response: RestoreRevisionResponse = try answer.json()
        #expect(answer.status == 201 && answer.eTag == "\"1-3\"")
        #expect(answer.cursor == (try await server.cursor()))
        #expect(response.file.checksum == first.file.checksum && response.file.size == 3)
        #expect(response.file.headRevisionId == response.revision.revisionId)
        #expect(response.revision.downloadUrl.hasPrefix("/v1/content/\(response.revision.revisionId)?"))
        #expect(![first.revision.id, second.revision.id].contains(response.revision.revisionId))
        let again = try await server.send(
            .post, "\(path)/\(first.revision.id)/restore", headers: [.idempotencyKey: "r1", .ifMatch: "\"1-2\""])
        #expect(try again.json(RestoreRevisionResponse.self).revision.revisionId == response.revision.revisionId)
        let list: GetRevisionsResponse = try await server.send(.get, path).json()
        #expect(list.revisions.count == 3)
    }

    @Test func blocksComeAsJSONOrThirtySixBytesEach() async throws {
        let server = try await TestServer()
        let commit = try await server.commit("hello", FilePlacement(name: "x"))
        let path = "/v1/files/\(commit.file.id)/revisions/\(commit.revision.id)/blocks"
        let json: GetBlocksResponse = try await server.send(.get, path).json()
        #expect(json.blocks == [BlockReference(sha256: commit.revision.checksum, size: 5)])
        let binary = try await server.send(.get, path, headers: [.accept: BlockReference.listMediaType])
        #expect(binary.headers[.contentType] == BlockReference.listMediaType)
        #expect(Array(buffer: binary.body) == commit.revision.checksum.bytes + [0, 0, 0, 5])
    }

    @Test func aRevisionIsItsFilesAlone() async throws {
        let server = try await TestServer()
        let one = try await server.commit("one", FilePlacement(name: "one"))
        let two = try await server.commit("two", FilePlacement(name: "two"))
        let folder = try await server.createFolder("f")
        let path = "/v1/files/\(one.file.id)/revisions/\(two.revision.id)"
        #expect(try await server.send(.get, path).code == .notFound)
        #expect(try await server.send(.get, "\(path)/blocks").code == .notFound)
        #expect(try await server.send(.post, "\(path)/restore").code == .notFound)
        #expect(try await server.send(.get, "/v1/files/\(folder.id)/revisions").code == .notAFile)
    }
}

@Suite struct FileCommitTests {
    @Test func aTakenNameFailsForksOrGetsANewRevision() async throws {
        let server = try await TestServer()
        let first = try await server.commit("one", FilePlacement(name: "report.pdf"))
        let failure = await #expect(throws: Problem.self) {
            _ = try await server.commit("two", FilePlacement(name: "report.pdf"))
        }
        #expect(failure?.code == .nameConflict && failure?.conflictingFileId == first.file.id)
        let fork = try await server.commit("two", FilePlacement(name: "report.pdf", conflict: .fork))
        #expect(fork.file.name == "report (1).pdf")
        let over = try await server.commit("three", FilePlacement(name: "report.pdf", conflict: .overwrite))
        #expect(over.file.id == first.file.id && over.file.version == 2)
        _ = try await server.createFolder("folder")
        let folder = await #expect(throws: Problem.self) {
            _ = try await server.commit("x", FilePlacement(name: "folder", conflict: .overwrite))
        }
        #expect(folder?.code == .nameConflict)
    }

    @Test func aStaleBaseFailsForksOrIsOverwritten() async throws {
        let server = try await TestServer()
        let first = try await server.commit("one", FilePlacement(name: "a.txt"))
        let base = first.revision.id
        func placement(_ conflict: ConflictPolicy) -> FilePlacement {
            FilePlacement(fileId: first.file.id, name: "a.txt", baseRevisionId: base, conflict: conflict)
        }
        let second = try await server.commit("two", placement(.fail))
        let failure = await #expect(throws: Problem.self) { _ = try await server.commit("three", placement(.fail)) }
        #expect(failure?.code == .revisionConflict && failure?.currentRevisionId == second.revision.id)
        let fork = try await server.commit("three", placement(.fork))
        #expect(fork.file.name == "a (1).txt" && fork.file.id != first.file.id)
        let over = try await server.commit("four", placement(.overwrite))
        #expect(over.file.id == first.file.id && over.file.version == 3)
    }

    @Test func manyForksOfOneNameFindFreeCounters() async throws {
        let server = try await TestServer()
        var names = Set<String>()
        for _ in 0..<40 {
            names.insert(try await server.commit("x", FilePlacement(name: "n.txt", conflict: .fork)).file.name)
        }
        #expect(names.count == 40)
        #expect(names.contains("n (39).txt"))
    }

    @Test func aPlaceThatIsGoneIsNamed() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("f")
        let file = try await server.createFile("file")
        let cases: [(FilePlacement, ProblemCode)] = [
            (FilePlacement(name: "x", parentId: "none"), .parentGone),
            (FilePlacement(name: "x", parentId: file.id), .notAFolder),
            (FilePlacement(fileId: "none", name: "x"), .notFound),
            (FilePlacement(fileId: folder.id, name: "x"), .notAFile),
            (FilePlacement(name: ".."), .invalidName),
        ]
        for (placement, code) in cases {
            let failure = await #expect(throws: Problem.self) { _ = try await server.commit("x", placement) }
            #expect(failure?.code == code)
        }
        #expect(try await server.names() == ["f", "file"])
    }
}
