import BothyClient
import BothyContent
import BothyContract
import Testing

@Suite struct TransferRecordTests {
    private func store(_ folder: TemporaryFolder) throws -> TransferStore {
        TransferStore(database: try ClientDatabase(path: folder.file("client.sqlite")))
    }

    @Test func everyFieldOfAnUploadOutlivesTheProcess() async throws {
        let folder = try TemporaryFolder()
        var order = UploadOrder(
            localPath: "/home/anna/Ödland.txt", name: "a", parentId: "p", fileId: "f", baseRevisionId: "r",
            conflict: .fork, mimeType: "text/plain")
        order.checksum = SHA256Hasher.hash([2])
        var transfer = UploadTransfer(
            transferId: "t", order: order, spooled: true, now: Timestamp(seconds: -1, nanoseconds: 7))
        transfer.generation = 3
        transfer.source = SourcePin(
            size: 9_000_000, modifiedAt: Timestamp(seconds: -5, nanoseconds: 999_999_999), inode: .max)
        transfer.executable = true
        transfer.chunked = true
        transfer.chunkSize = 1 << 20
        transfer.plan = .fixed
        transfer.receivedBlocks = ChunkSet([0, 1, 8])
        transfer.sentBytes = 3 << 20
        transfer.sessionId = "s"
        transfer.sessionExpiresAt = Timestamp(seconds: 99)
        transfer.remoteFileId = "rf"
        transfer.remoteRevisionId = "rr"
        transfer.fileHashSha256 = SHA256Hasher.hash([1])
        transfer.state = .paused(.serverBusy)
        transfer.runner = "me"
        transfer.hasKeeper = true
        transfer.replacedBy = "u"
        transfer.shownBytes = 12
        transfer.lastError = TransferFailure(Problem(.quotaExceeded, "full").with { $0.free = 3 })
        transfer.failures = 2
        transfer.attemptsPerChunk = [2: 5, 7: 1]
        transfer.lastByteOffset = 2 << 20
        transfer.lastServerStatus = 507
        try await store(folder).save(.upload(transfer))
        guard case .upload(let read)? = try await store(folder).find("t") else {
            Issue.record("The transfer is not there.")
            return
        }
        #expect(read == transfer)
    }

    @Test func everyFieldOfADownloadOutlivesTheProcess() async throws {
        let folder = try TemporaryFolder()
        var order = DownloadOrder(fileId: "f", revisionId: "r", name: "n", destination: "/tmp/x", replacing: false)
        order.basis = "/home/anna/before"
        var transfer = DownloadTransfer(transferId: "t", order: order, now: Timestamp(seconds: 4))
        transfer.expectedSize = 9_000_000
        transfer.expectedHash = SHA256Hasher.hash([2])
        transfer.etag = "\"x\""
        transfer.modifiedAt = Timestamp(seconds: 3, nanoseconds: 1)
        transfer.executable = true
        transfer.downloadedChunks = ChunkProgress(total: 9)
        transfer.fetchedBytes = 77
        transfer.downloadedChunks.insert(2)
        transfer.state = .paused(.user)
        transfer.shownBytes = 5
        transfer.lastError = TransferFailure(.diskFull, "full")
        transfer.attemptsPerChunk = [0: 2]
        transfer.lastByteOffset = 1
        transfer.lastServerStatus = 206
        try await store(folder).save(.download(transfer))
        guard case .download(let read)? = try await store(folder).find("t") else {
            Issue.record("The transfer is not there.")
            return
        }
        #expect(read == transfer)
    }

    @Test func anUploadThatWasBegunByAnEarlierReleaseHearsWhatItMustHold() async throws {
        let folder = try TemporaryFolder()
        let (store, runner) = (try store(folder), try RunnerIdentity(locksFolder: folder.path))
        let now = Timestamp(seconds: 0)
        var order = UploadOrder(localPath: "/a", name: "a", parentId: File.rootId)
        _ = try await store.claim([TransfersRepository.KeptOrder(order, as: "t")], by: runner, now: now)
        order.checksum = SHA256Hasher.hash([1])
        _ = try await store.claim([TransfersRepository.KeptOrder(order, as: "t")], by: runner, now: now)
        guard case .upload(let known)? = try await store.find("t") else {
            Issue.record("The transfer is not there.")
            return
        }
        #expect(known.expectedHash == order.checksum)
    }

    @Test func theSameOrderGoesOnWhereItWasAndAnotherDoesNot() async throws {
        let folder = try TemporaryFolder()
        let store = try store(folder)
        let runner = try RunnerIdentity(locksFolder: folder.path)
        let now = Timestamp(seconds: 0)
        let source = FileFacts(kind: .file, size: 1, modifiedAt: now, inode: 1, device: 1, executable: false)
        let order = UploadOrder(localPath: "/a", name: "a", parentId: File.rootId)
        func claim(_ order: UploadOrder, _ source: FileFacts, by runner: RunnerIdentity) async throws
            -> TransferStore.Claim
        {
            try await store.claim([order], sources: [source], by: runner, now: now)[0]
        }
        let first = try await claim(order, source, by: runner)
        #expect(first.mine)
        #expect(try await claim(order, source, by: runner).record.id == first.record.id)

        var elsewhere = order
        elsewhere.parentId = "other"
        #expect(try await claim(elsewhere, source, by: runner).record.id != first.record.id)

        let other = try RunnerIdentity(locksFolder: folder.path)
        let joined = try await claim(order, source, by: other)
        #expect(joined.record.id == first.record.id)
        #expect(!joined.mine)
    }

    @Test func whatADeadProcessRanIsTakenOver() async throws {
        let folder = try TemporaryFolder()
        let store = try store(folder)
        let now = Timestamp(seconds: 0)
        let order = DownloadOrder(fileId: "f", name: "n", destination: "/tmp/x")
        var dead: RunnerIdentity? = try RunnerIdentity(locksFolder: folder.path)
        let id = try await store.claim([order], by: dead!, now: now)[0].record.id
        let living = try RunnerIdentity(locksFolder: folder.path)
        #expect(try await !store.claim(id, by: living, now: now).mine)
        dead = nil
        #expect(try await store.claim(id, by: living, now: now).mine)
    }
}
