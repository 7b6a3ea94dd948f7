import BothyContent
import BothyContract
import BothyServer
import HTTPTypes
import NIOCore
import Testing

/// Many small files in one request: each is stored and answered as if it had come alone.
@Suite struct UploadBatchTests {
    @Test func everyFileIsStoredAndAnsweredInItsPlace() async throws {
        let world = try await UploadWorld()
        let items = (0..<40).map { BatchItem("file-\($0)", UploadWorld.bytes($0 * 100, seed: UInt64($0 + 1))) }
        let answer = try await world.tryBatch(items)
        let outcomes = try answer.json(UploadBatchResponse.self).items
        #expect(outcomes.map(\.status) == Array(repeating: 201, count: 40))
        #expect(outcomes.map(\.requestId) == (0..<40).map { "file-\($0)-id" })
        #expect(outcomes.map(\.file?.name) == (0..<40).map { "file-\($0)" })
        #expect(answer.cursor == outcomes.last?.cursor)
        #expect(Set(outcomes.map(\.cursor)).count == 40, "each has a change of its own")
        #expect(try await world.server.names().count == 40)
        for index in [0, 1, 39] { #expect(try await world.content(of: "file-\(index)") == items[index].content) }
        #expect(try await world.used() == Int64(items.reduce(0) { $0 + $1.content.count }))
    }

    @Test func whatIsRefusedOfOneIsNothingToTheOthers() async throws {
        let world = try await UploadWorld()
        _ = try await world.batch([BatchItem("taken", [1])])
        let outcomes = try await world.batch([
            BatchItem("first", [1, 2]),
            BatchItem("taken", [2], id: "again") { $0.conflict = .fail },
            BatchItem("second", [3]),
            BatchItem("wrong hash", [4]) { $0.fileHashSha256 = SHA256Hasher.hash([5]) },
            BatchItem("wrong size", [4]) { $0.size = 2 },
            BatchItem("a/b", [4]),
            BatchItem("nowhere", [4]) { $0.parentId = "019a2b60-89ab-7cde-8f01-23456789abcd" },
            BatchItem("too large", [UInt8](repeating: 7, count: UploadLimits.batchContent + 1)),
            BatchItem(metadata: "{", content: [1]),
            BatchItem("no id", [4]) { $0.requestId = nil },
            BatchItem("last", [6]),
        ])
        #expect(
            outcomes.map { $0.problem?.code.known } == [
                nil, .nameConflict, nil, .hashMismatch, .sizeMismatch, .invalidName, .parentGone, .bodyTooLarge,
                .malformedRequest, .invalidParameter, nil,
            ])
        #expect(outcomes.map(\.status) == [201, 409, 201, 422, 422, 400, 409, 413, 400, 400, 201])
        #expect(outcomes.map(\.requestId)[8...] == [nil, nil, "last-id"])
        #expect(try await world.server.names() == ["first", "last", "second", "taken"])
        #expect(try await world.content(of: "taken") == [1])
    }

    @Test func theSameBatchAgainIsAnsweredTheSameAndActsOnce() async throws {
        let world = try await UploadWorld()
        let items = (0..<5).map { BatchItem("f\($0)", [UInt8($0)]) { $0.conflict = .fork } }
        let first = try await world.batch(items)
        // The rest of a batch that was cut, with what was stored but not answered.
        let more = [items[3], BatchItem("new", [9]), items[4]]
        let again = try await world.batch(more)
        #expect(again.map(\.file?.id) == [first[3].file?.id, again[1].file?.id, first[4].file?.id])
        #expect(again[0].cursor == first[3].cursor)
        #expect(try await world.server.names() == ["f0", "f1", "f2", "f3", "f4", "new"])
    }

    @Test func oneIdTwiceInABatchActsOnceAndForOneFileOnly() async throws {
        let world = try await UploadWorld()
        let item = BatchItem("twice", [1], id: "one") { $0.conflict = .fork }
        let outcomes = try await world.batch([item, item, BatchItem("other", [2], id: "one")])
        #expect(outcomes[0] == outcomes[1])
        #expect(outcomes[2].problem?.code == .idempotencyMismatch)
        #expect(try await world.server.names() == ["twice"])
    }

    @Test func aFileMayComeFirstInABatchAndThenAloneOrTheOtherWayRound() async throws {
        let world = try await UploadWorld()
        let hash = SHA256Hasher.hash(Array("hello".utf8)).hex
        func alone(_ name: String) async throws -> TestAnswer {
            let metadata =
                #"{"conflict":"fork","fileHashSha256":"\#(hash)","name":"\#(name)","requestId":"\#(name)-id"}"#
            return try await world.server.send(
                .post, "/v1/upload?uploadType=multipart",
                body: ByteBuffer(
                    string: "--b\r\n\r\n\(metadata)\r\n--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b--"),
                headers: [.contentType: "multipart/related; boundary=b"])
        }
        func together(_ name: String) async throws -> UploadBatchOutcome {
            try await world.batch([
                BatchItem(name, Array("hello".utf8)) {
                    $0.mimeType = "text/plain"
                    $0.conflict = .fork
                }
            ])[0]
        }
        let first = try await together("a")
        #expect(try await alone("a").file().id == first.file?.id)
        let other = try await alone("b").file()
        #expect(try await together("b").file?.id == other.id)
        #expect(try await world.server.names() == ["a", "b"])
    }

    /// Files that the drive may have already cost one request, whatever they are long.
    @Test func sessionsStartTogether_andWhatTheDriveHasIsThereAtOnce() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(3000)
        _ = try await world.batch([BatchItem("there", content)])
        func start(_ name: String, of content: [UInt8]) -> BatchItem {
            BatchItem(name, content) {
                $0.size = Int64(content.count)
                $0.plan = .open()
                $0.finalize = .explicit
            }.withoutContent
        }
        let copy = start("copy", of: content)
        let items = [copy, BatchItem("small", [1]), start("new", of: UploadWorld.bytes(9000, seed: 2))]
        let outcomes = try await world.batch(items)
        #expect(outcomes.map(\.status) == [201, 201, 201])
        #expect(outcomes[0].upload?.file?.name == "copy" && outcomes[0].cursor != nil)
        #expect(outcomes[0].cursorBefore != nil && outcomes[0].upload?.file?.downloadUrl == nil)
        #expect(outcomes[1].file?.name == "small" && outcomes[1].upload == nil)
        #expect(outcomes[2].upload?.file == nil && outcomes[2].upload?.uploadId.isEmpty == false)
        #expect(try await world.content(of: "copy") == content)
        #expect(try await world.server.names() == ["copy", "small", "there"])
        // Again, together and by itself: it acts once.
        #expect(try await world.batch([copy])[0].upload?.file?.id == outcomes[0].upload?.file?.id)
        let alone = try await world.server.send(
            .post, "/v1/upload?uploadType=resumable", body: ByteBuffer(string: copy.metadata),
            headers: [.contentType: "application/json"])
        #expect(try alone.json(UploadResponse.self).uploadId == outcomes[0].upload?.uploadId)
    }

    @Test func anItemThatStartsASessionHasNoContent() async throws {
        let world = try await UploadWorld()
        let outcomes = try await world.batch([
            BatchItem("both", [1, 2]) { $0.plan = .open() },
            BatchItem("taken parameters", [1]) { $0.plan = .open([], parameters: 99) }.withoutContent,
        ])
        #expect(outcomes.map { $0.problem?.code.known } == [.invalidParameter, .parametersUnknown])
        #expect(try await world.server.names().isEmpty)
    }

    @Test func aQuotaIsUsedUpFileByFile() async throws {
        let world = try await UploadWorld()
        try await world.setQuota(1000)
        let outcomes = try await world.batch([
            BatchItem("fits", UploadWorld.bytes(600)), BatchItem("does not", UploadWorld.bytes(500, seed: 2)),
            BatchItem("fits still", UploadWorld.bytes(400, seed: 3)),
        ])
        #expect(outcomes.map { $0.problem?.code.known } == [nil, .quotaExceeded, nil])
        #expect(try await world.used() == 1000)
    }

    @Test func anotherAccountsFolderTakesNothing() async throws {
        let world = try await UploadWorld()
        let mine = try await world.server.send(
            .post, "/v1/files",
            json: CreateFileRequest(requestId: "m", name: "mine", mimeType: File.folderMimeType, parentId: nil)
        ).file()
        let outcomes = try await world.batch(
            [BatchItem("spy", [1]) { $0.parentId = mine.id }, BatchItem("own", [2])], as: .stranger)
        #expect(outcomes.map { $0.problem?.code.known } == [.parentGone, nil])
    }

    @Test func whatWasAnsweredOutlivesAPowerCut() async throws {
        let world = try await UploadWorld()
        let items = (0..<20).map { BatchItem("kept-\($0)", UploadWorld.bytes(5000, seed: UInt64($0))) }
        _ = try await world.batch(items)
        world.packs.cutPower()
        for index in 0..<20 { #expect(try await world.content(of: "kept-\(index)") == items[index].content) }
    }

    @Test func aDiskThatFailsAcknowledgesNoneAndMakesNone() async throws {
        let world = try await UploadWorld()
        world.packs.failNextSync()
        let answer = try await world.tryBatch([BatchItem("a", [1]), BatchItem("b", [2])])
        #expect(answer.code == .storeFailed)
        #expect(try await world.server.names().isEmpty)
    }

    @Test func aBatchThatCannotBeReadIsRefused() async throws {
        let world = try await UploadWorld()
        #expect(try await world.tryBatch([]).code == .malformedRequest)
        let json = try await world.tryBatch([BatchItem("a", [1])], type: "application/json")
        #expect(json.code == .unsupportedMediaType)
        let many = (0...UploadLimits.batchItems).map { BatchItem("m\($0)", []) }
        #expect(try await world.tryBatch(many).code == .tooManyItems)
        let cut = try await world.server.send(
            .post, "/v1/upload/batch", body: ByteBuffer(bytes: BatchItem("cut", [1, 2, 3]).bytes.dropLast()),
            headers: [.contentType: File.defaultMimeType])
        #expect(cut.code == .malformedRequest)
        let large = (0..<9).map {
            BatchItem("l\($0)", UploadWorld.bytes(UploadLimits.batchBody / 8, seed: UInt64($0)))
        }
        #expect(try await world.tryBatch(large).code == .bodyTooLarge)
        #expect(try await world.server.names().isEmpty)
    }

    /// A batch as one Zstandard frame, or as what it pretends to be.
    private func compressed(_ body: [UInt8], _ world: UploadWorld, coding: String = "zstd") async throws -> TestAnswer {
        let name = try #require(HTTPField.Name("Content-Encoding"))
        return try await world.server.send(
            .post, "/v1/upload/batch", body: ByteBuffer(bytes: body),
            headers: [.contentType: File.defaultMimeType, name: coding])
    }

    private static func zstd(_ bytes: [UInt8]) -> [UInt8]? { bytes.withUnsafeBytes { Zstd.compress($0) } }

    @Test func aBatchMayComeCompressedAndIsWhatItIsWithout() async throws {
        let world = try await UploadWorld()
        let items = (0..<20).map { BatchItem("t\($0)", Array(repeating: UInt8($0), count: 60_000)) }
        let frame = try #require(Self.zstd(items.flatMap(\.bytes)))
        #expect(frame.count < 20_000)
        let answer = try await compressed(frame, world)
        let told = try answer.json(UploadBatchResponse.self).items
        #expect(told.allSatisfy { $0.status == 201 } && told.count == 20)
        #expect(told.compactMap(\.file?.checksum) == items.map { UploadWorld.reference($0.content).sha256 })
        let again = try await world.batch(items)
        #expect(again.map(\.file?.id) == told.map(\.file?.id), "an id means the same, compressed or not")
    }

    @Test func aFrameThatIsNoneOrHoldsTooMuchStoresNothing() async throws {
        let world = try await UploadWorld()
        let frame = try #require(Self.zstd(BatchItem("a", Array(repeating: 7, count: 9_000)).bytes))
        #expect(try await compressed(frame.dropLast(), world).code == .malformedRequest)
        #expect(try await compressed(frame + frame, world).code == .malformedRequest)
        #expect(try await compressed(Array("no frame".utf8), world).code == .malformedRequest)
        let bomb = try #require(Self.zstd([UInt8](repeating: 0, count: UploadLimits.batchBody + 1)))
        #expect(bomb.count < 2_000)
        #expect(try await compressed(bomb, world).code == .malformedRequest)
        #expect(try await compressed(frame, world, coding: "br").code == .unsupportedMediaType)
        #expect(try await world.server.names().isEmpty)
    }

    @Test func whatWasStoredOfABatchThatWasCutIsToldWhenItComesAgain() async throws {
        let world = try await UploadWorld()
        // As large as a device sends them: the first are stored before the body turns out to be cut.
        let items = (0..<7).map {
            BatchItem("c\($0)", UploadWorld.bytes(UploadLimits.batchContent, seed: UInt64($0 + 1)))
        }
        let cut = try await world.server.send(
            .post, "/v1/upload/batch", body: ByteBuffer(bytes: items.flatMap(\.bytes).dropLast()),
            headers: [.contentType: File.defaultMimeType])
        #expect(cut.code == .malformedRequest)
        #expect(try await world.server.names().count == 6)
        let again = try await world.batch(items)
        #expect(again.allSatisfy { $0.status == 201 })
        #expect(try await world.server.names().count == 7)
    }
}
