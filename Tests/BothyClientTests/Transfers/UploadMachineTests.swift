import BothyClient
import BothyContent
import BothyContract
import Testing

/// Drives an upload's machine against a model of a server, everything in an order that the seed decides.
private struct UploadWorld {
    struct Flaws {
        /// Of 100.
        var transient = 0
        var lostAnswer = 0
        var corrupt = 0
        var sessionLost = 0
        var impossible = 0
        var crash = 0
        /// After so many steps nothing goes wrong any more.
        var until = 400
    }

    var random: SeededRandom
    var flaws: Flaws
    var machine: UploadMachine
    var saved: UploadTransfer
    var work = [UploadMachine.Action]()
    var kept = Set<Int>()
    var received = [String: Set<Int>]()
    var chunkSizes = [String: Int64]()
    var sessions = 0
    var passed = 0
    var steps = 0
    var shown: Int64 = 0
    let facts: FileFacts
    let hash = SHA256Hasher.hash([1, 2, 3])

    init(seed: UInt64, size: Int64, flaws: Flaws) {
        random = SeededRandom(seed)
        self.flaws = flaws
        facts = FileFacts(
            kind: .file, size: size, modifiedAt: Timestamp(seconds: 5), inode: 7, device: 1, executable: false)
        let order = UploadOrder(localPath: "/a", name: "a", parentId: File.rootId)
        saved = UploadTransfer(transferId: "t", order: order, now: Timestamp(seconds: 0))
        machine = UploadMachine(saved)
    }

    /// Runs until the transfer rests.
    mutating func run() throws {
        try act(machine.handle(.begin))
        while !machine.transfer.state.rests {
            steps += 1
            try #require(steps < 5_000, "the upload comes to no end")
            if hit(flaws.crash) {
                try crash()
                continue
            }
            try #require(!work.isEmpty, "nothing is under way, and the upload does not rest: \(machine.transfer.state)")
            let action = work.remove(at: Int.random(in: 0..<work.count, using: &random))
            if let event = answer(action) { try act(machine.handle(event)) }
        }
    }

    mutating func act(_ actions: [UploadMachine.Action]) throws {
        for action in actions {
            switch action {
            case .save: saved = machine.transfer
            case .rewind:
                work = []
                kept = []
                passed = 0
            case .forget(let index): kept.remove(index)
            case .cancelSession(let id): received[id] = nil
            case .rest: work = []
            default: work.append(action)
            }
        }
        let sending = work.count { if case .send = $0 { true } else { false } }
        try #require(sending <= 4, "more than four chunks are under way")
        try #require(kept.count <= 7, "more bytes are kept than are bounded")
        try #require(machine.transfer.shownBytes >= shown, "progress ran backwards")
        shown = machine.transfer.shownBytes
    }

    private mutating func crash() throws {
        machine = UploadMachine(saved)
        work = []
        kept = []
        passed = 0
        try act(machine.handle(.begin))
    }

    private mutating func hit(_ percent: Int) -> Bool {
        steps < flaws.until && Int.random(in: 0..<100, using: &random) < percent
    }

    private mutating func trouble() -> TransferFailure? {
        guard hit(flaws.transient) else { return nil }
        return TransferFailure(Bool.random(using: &random) ? .offline : .serverBusy, "no")
    }

    private mutating func answer(_ action: UploadMachine.Action) -> UploadMachine.Event? {
        switch action {
        case .lookAtSource: return .sourceLooked(facts)
        case .backOff: return .backedOff
        case .startSession(let request):
            if let failure = trouble() { return .sessionRefused(failure) }
            sessions += 1
            received["s\(sessions)"] = []
            chunkSizes["s\(sessions)"] = request.plan?.chunkSize
            return .sessionTold(response("s\(sessions)"))
        case .askSession(let id):
            if let failure = trouble() { return .sessionRefused(failure) }
            guard received[id] != nil else {
                return .sessionRefused(TransferFailure(Problem(.uploadExpired, "gone")))
            }
            return .sessionTold(response(id))
        case .read(let index, let keeping):
            if keeping { kept.insert(index) }
            if index == passed { passed += 1 }
            return .chunkRead(
                index, wholeHash: passed == machine.transfer.totalChunks && index == passed - 1 ? hash : nil)
        case .send(let index): return send(index)
        case .sendWhole: return .wholeSent(UploadedFile(file), hash, status: 201)
        case .finalize(let id, _): return finalize(id)
        case .rewind, .forget, .cancelSession, .save, .rest: return nil
        }
    }

    private mutating func send(_ index: Int) -> UploadMachine.Event {
        let id = machine.transfer.sessionId ?? ""
        if let failure = trouble() { return .chunkRefused(index, failure) }
        if hit(flaws.sessionLost) { received[id] = nil }
        guard received[id] != nil else {
            return .chunkRefused(index, TransferFailure(Problem(.uploadExpired, "gone")))
        }
        if hit(flaws.corrupt) { return .chunkRefused(index, TransferFailure(Problem(.chunkCorrupt, "bits"))) }
        received[id]?.insert(index)
        if hit(flaws.lostAnswer) { return .chunkRefused(index, TransferFailure(.offline, "lost")) }
        var answer = response(id)
        if hit(flaws.impossible) { answer.chunksProcessed = answer.totalChunks + 1 }
        return .chunkSent(index, answer, status: 308, seconds: 0.1)
    }

    private mutating func finalize(_ id: String) -> UploadMachine.Event {
        if let failure = trouble() { return .finalizeRefused(failure) }
        let total = machine.transfer.totalChunks
        let missing = (0..<total).filter { received[id]?.contains($0) != true }
        guard missing.isEmpty else {
            return .finalizeRefused(
                TransferFailure(Problem(.missingChunks, "missing").with { $0.missing = missing.chunkRuns }))
        }
        let revision = FileRevision(
            revisionId: "r", fileId: "f", mimeType: "", size: facts.size, modifiedAt: facts.modifiedAt,
            createdAt: facts.modifiedAt, deviceId: nil, downloadUrl: "/", checksum: hash)
        return .finalized(FinalizeResponse(remoteFileId: "f", fileHashSha256: hash, file: file, revision: revision))
    }

    private func response(_ id: String) -> UploadResponse {
        let there = (received[id] ?? []).sorted()
        return UploadResponse(
            uploadId: id, totalChunks: machine.transfer.totalChunks, chunksProcessed: there.count,
            chunkSize: chunkSizes[id] ?? 0, uploadUrl: "/", uploadExpiresAt: Timestamp(seconds: 9),
            receivedChunks: there.chunkRuns, file: nil)
    }

    private var file: File {
        File(
            id: "f", name: "a", mimeType: "", size: facts.size, parentId: nil, checksum: hash, headRevisionId: "r",
            version: 1, createdAt: facts.modifiedAt, modifiedAt: facts.modifiedAt, updatedAt: facts.modifiedAt)
    }
}

@Suite struct UploadMachineTests {
    private static let large: Int64 = (4 << 20) * 23 + 12_345

    @Test(arguments: 0..<300 as Range<UInt64>) func whateverTheNetworkDoesTheUploadCompletes(seed: UInt64) throws {
        var world = UploadWorld(
            seed: seed, size: Self.large, flaws: .init(transient: 20, lostAnswer: 10, corrupt: 3))
        try world.run()
        #expect(
            world.machine.transfer.state == .completed,
            "seed \(seed): \(String(describing: world.machine.transfer.lastError))")
        #expect(world.machine.transfer.shownBytes == Self.large)
    }

    @Test(arguments: 0..<300 as Range<UInt64>) func howeverOftenItIsKilledTheUploadCompletes(seed: UInt64) throws {
        var world = UploadWorld(seed: seed, size: Self.large, flaws: .init(transient: 5, lostAnswer: 10, crash: 10))
        try world.run()
        #expect(world.machine.transfer.state == .completed, "seed \(seed)")
        #expect(world.sessions <= 1 + world.steps / 10)
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func lostSessionsAndOddAnswersEndInOneWayOrTheOther(seed: UInt64) throws
    {
        var world = UploadWorld(
            seed: seed, size: Self.large,
            flaws: .init(transient: 5, corrupt: 20, sessionLost: 5, impossible: 5, until: 5_000))
        try world.run()
        #expect([.completed, .failed].contains(world.machine.transfer.state), "seed \(seed)")
        if world.machine.transfer.state == .failed { #expect(world.machine.transfer.lastError != nil) }
    }

    @Test func aSourceThatIsAnotherByTheEndIsNotFinalized() throws {
        var world = UploadWorld(seed: 1, size: Self.large, flaws: .init())
        try world.act(world.machine.handle(.begin))
        let actions = world.machine.handle(.sourceLooked(world.facts))
        #expect(actions.contains { if case .startSession = $0 { true } else { false } })
        var changed = world.facts
        changed.modifiedAt = Timestamp(seconds: 6)
        var again = UploadMachine(world.machine.transfer)
        _ = again.handle(.begin)
        #expect(again.handle(.sourceLooked(changed)) == [.save, .rest])
        #expect(again.transfer.lastError?.code == .sourceChanged)
    }

    @Test(arguments: [TransferWish.pause, .stop, .cancel]) func whatAPersonAsksIsDoneAtOnce(wish: TransferWish) throws {
        var world = UploadWorld(seed: 3, size: Self.large, flaws: .init())
        try world.act(world.machine.handle(.begin))
        _ = world.machine.handle(.sourceLooked(world.facts))
        let actions = world.machine.handle(.asked(wish))
        #expect(actions.suffix(2) == [.save, .rest])
        let expected: [TransferWish: TransferState] = [
            .pause: .paused(.user), .stop: .paused(.stopped), .cancel: .canceled,
        ]
        #expect(world.machine.transfer.state == expected[wish])
    }

    @Test func aFileOfMoreThanTenGibibytesIsRefusedBeforeAByteIsSent() {
        var world = UploadWorld(seed: 1, size: UploadLimits.maximumFileSize + 1, flaws: .init())
        _ = world.machine.handle(.begin)
        #expect(world.machine.handle(.sourceLooked(world.facts)) == [.save, .rest])
        #expect(world.machine.transfer.lastError?.code == .fileTooLarge)
    }
}
