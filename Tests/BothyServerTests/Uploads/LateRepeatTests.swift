import BothyContent
import BothyContract
import BothyServer
import HTTPTypes
import NIOCore
import Testing

/// Uploads that come again when what they led to is no longer kept: the files that they made are known by their request
/// ids.
///
/// Each goes by `fork`, so that one that acted again would leave a second file.
@Suite struct LateRepeatTests {
    /// More than a month passes, and the jobs forget what is kept for so long.
    private func forget(_ world: UploadWorld) async throws {
        world.server.clock.advance(seconds: Retention.outcomes + 86_400)
        try await world.letTimeWork()
        let before = Int64(world.server.clock.uptimeSeconds()) - Retention.outcomes
        let forgotten = try await world.server.database.write {
            try OutcomeTable.prune(livedBefore: before, limit: 1000, in: $0)
        }
        #expect(forgotten > 0)
    }

    private func note(_ world: UploadWorld, _ text: String = "Hello") async throws -> TestAnswer {
        try await world.server.send(
            .post, "/v1/upload?uploadType=media&name=note&conflict=fork", body: ByteBuffer(string: text),
            headers: [.idempotencyKey: "n1", .contentType: "text/plain"])
    }

    private static func film(_ content: [UInt8], _ id: String = "f1", hash: ContentHash? = nil) -> UploadRequest {
        UploadRequest(
            requestId: id, name: "film", size: Int64(content.count), fileHashSha256: hash, conflict: .fork,
            plan: .fixed(chunkSize: Int64(UploadWorld.chunk)), finalize: .explicit)
    }

    @Test func aSmallFileIsStoredOnce() async throws {
        let world = try await UploadWorld()
        let first = try await note(world).file()
        try await forget(world)
        let place = try await world.server.cursor()
        let again = try await note(world)
        #expect(again.status == 201 && again.cursor == place)
        let told = try again.file()
        #expect(told.id == first.id && told.checksum == first.checksum && told.version == first.version)
        #expect(try await note(world).file().id == first.id, "and the repeat is kept, too")
        #expect(try await world.server.cursor() == place)
        #expect(try await world.server.names() == ["note"])
        #expect(try await world.used() == 5)
    }

    @Test func otherContentUnderTheIdIsRefused() async throws {
        let world = try await UploadWorld()
        _ = try await note(world)
        let folder = try await world.server.createFolder("folder", requestId: "f1")
        try await forget(world)
        #expect(try await note(world, "Bye").code == .idempotencyMismatch)
        let content = UploadWorld.bytes(10)
        #expect(try await world.tryStart(Self.film(content)).code == .idempotencyMismatch, "\(folder.id) is a folder")
        #expect(try await world.tryStart(Self.film(content, "n1")).code == .idempotencyMismatch)
        let hash = SHA256Hasher.hash([1, 2, 3, 4, 5])
        let other = try await world.tryStart(Self.film([1, 2, 3, 4, 5], "n1", hash: hash))
        #expect(other.code == .idempotencyMismatch)
        #expect(try await world.server.names() == ["folder", "note"])
    }

    @Test func theItemsOfABatchAreStoredOnce() async throws {
        let world = try await UploadWorld()
        let items = (0..<4).map { BatchItem("b\($0)", [UInt8($0), 7]) { $0.conflict = .fork } }
        let first = try await world.batch(items)
        try await forget(world)
        let place = try await world.server.cursor()
        // With others, and alone: they are stored in two ways.
        let together = try await world.batch(Array(items[..<3]))
        let alone = try await world.batch([items[3]])
        #expect((together + alone).map(\.file?.id) == first.map(\.file?.id))
        #expect((together + alone).map(\.status) == [201, 201, 201, 201])
        #expect(try await world.server.cursor() == place)
        try await forget(world)
        let mixed = try await world.batch([
            items[0], BatchItem("new", [1]), BatchItem("other", [9, 9], id: "b1-id") { $0.conflict = .fork },
        ])
        #expect(mixed.map { $0.problem?.code.known } == [nil, nil, .idempotencyMismatch])
        #expect(mixed[0].file?.id == first[0].file?.id)
        #expect(try await world.server.names() == ["b0", "b1", "b2", "b3", "new"])
    }

    @Test func aSessionThatStartsAgainIsFinishedAtOnce() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(2 * UploadWorld.chunk + 9)
        let session = try await world.start(Self.film(content))
        try await world.putAll(session.uploadId, content)
        let first = try await world.finalize(session.uploadId).json(FinalizeResponse.self)
        try await forget(world)
        let place = try await world.server.cursor()
        #expect(try await world.finalize(session.uploadId).code == .notFound)
        let again = try await world.start(Self.film(content))
        #expect(again.uploadId != session.uploadId && again.file?.id == first.remoteFileId)
        #expect(again.chunksProcessed == again.totalChunks && again.totalChunks == 3)
        let told = try await world.finalize(again.uploadId).json(FinalizeResponse.self)
        #expect(told.remoteFileId == first.remoteFileId && told.fileHashSha256 == first.fileHashSha256)
        #expect(told.revision.revisionId == first.revision.revisionId)
        #expect(try await world.server.cursor() == place)
        #expect(try await world.server.names() == ["film"])
        #expect(try await world.used() == Int64(content.count))
    }

    /// A session that goes on for longer than its start is kept, and is started again.
    @Test func twoSessionsOfOneRequestMakeOneFile() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(UploadWorld.chunk + 9)
        let first = try await world.start(Self.film(content)).uploadId
        let lived = Int64(world.server.clock.uptimeSeconds()) + 1
        _ = try await world.server.database.write {
            try OutcomeTable.prune(livedBefore: lived, limit: 1000, in: $0)
        }
        let second = try await world.start(Self.film(content)).uploadId
        try #require(first != second)
        try await world.putAll(first, content)
        try await world.putAll(second, content)
        let made = try await world.finalize(first).json(FinalizeResponse.self)
        let told = try await world.finalize(second).json(FinalizeResponse.self)
        #expect(told.remoteFileId == made.remoteFileId && told.revision.revisionId == made.revision.revisionId)
        #expect(try await world.server.names() == ["film"])
        #expect(try await world.used() == Int64(content.count))
        #expect(try await world.content(of: "film") == content)
    }

    @Test func whatLiesInTheTrashStaysThere() async throws {
        let world = try await UploadWorld()
        let first = try await note(world).file()
        try await forget(world)
        _ = try await world.server.send(.delete, "/v1/files/\(first.id)")
        let told = try await note(world).file()
        #expect(told.id == first.id && told.trashed)
        #expect(try await world.server.names().isEmpty)
    }

    @Test func whatIsGoneForGoodIsMadeAnew() async throws {
        let world = try await UploadWorld()
        let first = try await note(world).file()
        try await forget(world)
        _ = try await world.server.send(.delete, "/v1/files/\(first.id)?permanent=true")
        #expect(try await note(world).file().id != first.id)
        #expect(try await world.server.names() == ["note"])
    }

    @Test func whatOthersChangedSinceIsToldAndLeftAsItIs() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(300)
        let session = try await world.start(Self.film(content))
        try await world.putAll(session.uploadId, content)
        let first = try await world.finalize(session.uploadId).json(FinalizeResponse.self)
        let edited = try await world.server.commit(
            "edited", FilePlacement(fileId: first.remoteFileId, name: "film"), as: .phone)
        try await forget(world)
        let place = try await world.server.cursor()
        let again = try await world.start(Self.film(content))
        #expect(again.file?.version == edited.file.version && again.file?.headRevisionId == edited.revision.id)
        // Who has sent it has what it sent, and no more.
        let told = try await world.finalize(again.uploadId).json(FinalizeResponse.self)
        #expect(told.revision.revisionId == first.revision.revisionId)
        #expect(told.fileHashSha256 == SHA256Hasher.hash(content))
        #expect(try await world.server.cursor() == place)
    }
}
