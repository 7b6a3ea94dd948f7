import BothyContent
import BothyContract
import BothyServer
import HTTPTypes
import NIOCore
import Testing

/// How sessions end: each refusal leaves them usable, and the end is told again and again.
@Suite struct UploadFinalizeTests {
    private let chunk = UploadWorld.chunk

    @Test func theChunksThatAreMissingAreNamed() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(5 * chunk)
        let session = try await world.startFixed("missing", size: content.count)
        for index in [0, 3] {
            _ = try await world.put(
                session.uploadId, chunk: index, Array(content[(index * chunk)..<((index + 1) * chunk)]))
        }
        let refused = try await world.finalize(session.uploadId)
        #expect(refused.status == 409)
        #expect(try refused.problem().missing == [ChunkRun(first: 1, last: 2), ChunkRun(first: 4, last: 4)])
        try await world.putAll(session.uploadId, content)
        #expect(try await world.finalize(session.uploadId).status == 201)
    }

    @Test func theFilesHashIsComputedFromWhatIsStored() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(2 * chunk)
        let swapped = Array(content[chunk...]) + Array(content[..<chunk])
        let session = try await world.startFixed("swapped", size: content.count)
        try await world.putAll(session.uploadId, swapped)
        let request = FinalizeRequest(fileHashSha256: SHA256Hasher.hash(content))
        let refused = try await world.finalize(session.uploadId, request)
        #expect(refused.status == 422)
        #expect(refused.code == .hashMismatch)
        #expect(try refused.problem().computedSha256 == SHA256Hasher.hash(swapped))
        #expect(try await world.server.names().isEmpty)
        let done = try await world.finalize(
            session.uploadId, FinalizeRequest(fileHashSha256: SHA256Hasher.hash(swapped)))
        #expect(try done.json(FinalizeResponse.self).fileHashSha256 == SHA256Hasher.hash(swapped))
    }

    @Test func aHashSaidAtTheStartIsComparedAtTheEndForOneChunkToo() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(100)
        let session = try await world.startFixed("said", size: 100, finalize: .auto, hash: SHA256Hasher.hash([1]))
        let refused = try await world.put(session.uploadId, chunk: 0, content)
        #expect(refused.code == .hashMismatch)
        #expect(try await world.status(session.uploadId).chunksProcessed == 1, "the chunk is kept")
        let done = try await world.finalize(
            session.uploadId, FinalizeRequest(fileHashSha256: SHA256Hasher.hash(content)))
        #expect(done.status == 201)
    }

    @Test func aSizeThatIsNotThePlansIsRefused() async throws {
        let world = try await UploadWorld()
        let session = try await world.startFixed("size", size: 100)
        _ = try await world.put(session.uploadId, chunk: 0, UploadWorld.bytes(100))
        for size in [-1, 0, 99, 101, .max] as [Int64] {
            #expect(try await world.finalize(session.uploadId, FinalizeRequest(size: size)).code == .sizeMismatch)
        }
        #expect(try await world.finalize(session.uploadId, FinalizeRequest(size: 100)).status == 201)
    }

    @Test func aTakenNameIsAnsweredWithAnotherOrWithAnotherPolicy() async throws {
        let world = try await UploadWorld()
        func received(_ name: String) async throws -> String {
            let session = try await world.startFixed(name, size: 100)
            _ = try await world.put(session.uploadId, chunk: 0, UploadWorld.bytes(100))
            return session.uploadId
        }
        let ids = [try await received("a"), try await received("b"), try await received("c")]
        let taken = try await world.server.createFile("taken")
        for id in ids {
            let refused = try await world.finalize(id, FinalizeRequest(name: "taken"))
            #expect(refused.code == .nameConflict)
            #expect(try refused.problem().conflictingFileId == taken.id)
        }
        #expect(try await world.finalize(ids[0]).json(FinalizeResponse.self).file.name == "a")
        let forked = try await world.finalize(ids[1], FinalizeRequest(name: "taken", conflict: .fork))
        #expect(try forked.json(FinalizeResponse.self).file.name == "taken (1)")
        let overwritten = try await world.finalize(ids[2], FinalizeRequest(name: "taken", conflict: .overwrite))
        #expect(try overwritten.json(FinalizeResponse.self).file.id == taken.id)
    }

    @Test func aFolderThatWentAwayIsAnsweredWithAnother() async throws {
        let world = try await UploadWorld()
        let folder = try await world.server.createFolder("going")
        let session = try await world.start(
            UploadRequest(requestId: nil, name: "orphan", parentId: folder.id, size: 10, finalize: .explicit))
        _ = try await world.put(session.uploadId, chunk: 0, UploadWorld.bytes(10))
        #expect(try await world.server.send(.delete, "/v1/files/\(folder.id)").status < 300)
        #expect(try await world.finalize(session.uploadId).code == .parentGone)
        let done = try await world.finalize(session.uploadId, FinalizeRequest(parentId: File.rootId))
        #expect(done.status == 201)
    }

    @Test func oneOfTwoEditsGoesThrough() async throws {
        let world = try await UploadWorld()
        let base = try await world.upload("shared", UploadWorld.bytes(10))
        func edit(_ seed: UInt64) async throws -> String {
            let session = try await world.start(
                UploadRequest(
                    requestId: nil, name: "shared", size: 10, fileId: base.id, baseRevisionId: base.headRevisionId,
                    finalize: .explicit))
            _ = try await world.put(session.uploadId, chunk: 0, UploadWorld.bytes(10, seed: seed))
            return session.uploadId
        }
        let (first, second) = (try await edit(7), try await edit(8))
        let head = try await world.finalize(first).json(FinalizeResponse.self).revision.revisionId
        let refused = try await world.finalize(second)
        #expect(refused.code == .revisionConflict)
        #expect(try refused.problem().currentRevisionId == head)
        #expect(try await world.finalize(second, FinalizeRequest(baseRevisionId: head)).status == 201)
    }

    @Test func repeatsSideBySideMakeOneFileAndAreAnsweredAlike() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(6 * chunk)
        let session = try await world.startFixed("once", size: content.count)
        try await world.putAll(session.uploadId, content)
        let revisions = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    try await world.finalize(session.uploadId).json(FinalizeResponse.self).revision.revisionId
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(revisions.count == 1)
        #expect(try await world.server.names() == ["once"])
        #expect(try await world.finalize(session.uploadId).status == 201)
    }

    @Test func aFinishedSessionKeepsAnswering() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(chunk + 1)
        let session = try await world.startFixed("done", size: content.count, finalize: .auto)
        try await world.putAll(session.uploadId, content)
        let again = try await world.put(session.uploadId, chunk: 0, Array(content[..<chunk]))
        #expect(again.status == 201)
        #expect(try again.json(UploadResponse.self).receivedChunks == [ChunkRun(first: 0, last: 1)])
        #expect(try await world.status(session.uploadId).file?.name == "done")
        #expect(try await world.server.send(.delete, "/v1/upload/\(session.uploadId)").code == .uploadFinished)
        #expect(try await world.finalize(session.uploadId).status == 201)
        let file = try #require(try await world.status(session.uploadId).file)
        #expect(Array(try await world.read(file).body.readableBytesView) == content)
    }

    @Test func aFinalizeSurvivesTheLossOfEverythingInMemory() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(4 * chunk)
        let session = try await world.startFixed("restarted", size: content.count)
        try await world.putAll(session.uploadId, content)
        // Another process has followed nothing of this upload.
        let parts = world.server.parts
        let other = UploadSessions(
            database: parts.database, packs: world.packs, stamps: parts.stamps, notifier: parts.notifier,
            signer: parts.signer, writes: world.writes)
        let outcome = try await other.finalize(session.uploadId, FinalizeRequest(), for: TestCaller.kitchen.caller)
        #expect(outcome.revision.checksum == SHA256Hasher.hash(content))
    }
}
