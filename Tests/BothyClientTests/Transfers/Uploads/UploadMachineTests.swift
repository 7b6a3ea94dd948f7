import BothyContent
import BothyContract
import Testing

@testable import BothyClient

@Suite struct UploadMachineTests {
    /// Counted in the record, and not by the runner: whoever keeps account of it begins one at each cut.
    @Test(arguments: [(nil as Int?, 7, true), (nil, 6, false), (408, 7, true), (504, 7, true), (500, 7, false)])
    func aBodyIsCutAgainAndAgainOverManyRunners(status: Int?, attempts: Int, isCut: Bool) {
        let order = UploadOrder(localPath: "/a", name: "a", parentId: File.rootId)
        var transfer = UploadTransfer(transferId: "t", order: order, now: Timestamp(seconds: 0))
        transfer.attemptsPerChunk = [0: attempts, 1: 1]
        var failure = TransferFailure(status == nil ? .offline : .serverBusy, "cut")
        failure.status = status
        #expect(UploadMachine(transfer).isCutAgainAndAgain(failure, chunk: 0) == isCut)
        #expect(!UploadMachine(transfer).isCutAgainAndAgain(failure, chunk: 1))
    }

    private static let large: Int64 = (4 << 20) * 23 + 12_345

    @Test(arguments: PropertyCases.seeds(60)) func whateverTheNetworkDoesTheUploadCompletes(seed: UInt64) throws {
        var world = UploadWorld(
            seed: seed, size: Self.large, flaws: .init(transient: 20, lostAnswer: 10, corrupt: 3))
        try world.run()
        #expect(
            world.machine.transfer.state == .completed,
            "seed \(seed): \(String(describing: world.machine.transfer.lastError))")
        #expect(world.machine.transfer.shownBytes == Self.large)
    }

    @Test(arguments: PropertyCases.seeds(60)) func howeverOftenItIsKilledTheUploadCompletes(seed: UInt64) throws {
        var world = UploadWorld(seed: seed, size: Self.large, flaws: .init(transient: 5, lostAnswer: 10, crash: 10))
        try world.run()
        #expect(world.machine.transfer.state == .completed, "seed \(seed)")
        #expect(world.sessionsBegun <= 1 + world.steps / 10)
    }

    /// Only what was on its way when it was killed is sent again.
    @Test(arguments: PropertyCases.seeds(60)) func aKillCostsAtMostWhatWasOnItsWay(seed: UInt64) throws {
        var world = UploadWorld(seed: seed, size: Self.large, flaws: .init(crash: 5), repeating: false)
        try world.run()
        #expect(world.machine.transfer.state == .completed, "seed \(seed)")
        #expect(world.sessionsBegun <= 1 + world.steps / 20)
        #expect(world.sentTwice == 0, "seed \(seed)")
    }

    /// Its blocks are found by their names: nothing is sent twice.
    @Test(arguments: PropertyCases.seeds(40)) func aNewSessionFindsWhatTheOldOneHad(seed: UInt64) throws {
        var world = UploadWorld(seed: seed, size: Self.large, flaws: .init(sessionLost: 2), repeating: false)
        try world.run()
        #expect(world.machine.transfer.state == .completed, "seed \(seed)")
        #expect(world.sentTwice == 0, "seed \(seed)")
    }

    /// A session of fixed chunks that an older release began goes on as it began, and becomes one of blocks only when it is lost.
    @Test(arguments: PropertyCases.seeds(40)) func aSessionOfFixedChunksGoesOnWithThem(seed: UInt64) throws {
        var world = UploadWorld(
            seed: seed, size: Self.large, flaws: .init(transient: 10, lostAnswer: 5, corrupt: 1, crash: 3), fixed: true)
        try world.run()
        #expect(world.machine.transfer.state == .completed, "seed \(seed)")
        #expect(world.sessionsBegun == 0 && world.machine.transfer.plan == .fixed, "seed \(seed)")
        #expect(world.machine.transfer.shownBytes == Self.large)
    }

    /// A later release has changed how the drive's files are cut: everything arrives, and nothing is named.
    @Test(arguments: PropertyCases.seeds(40), [nil, .parametersUnknown, .parametersDiffer] as [ProblemCode?])
    func whereCutsAreUnknownFixedChunksGo(seed: UInt64, refusal: ProblemCode?) throws {
        var world = UploadWorld(
            seed: seed, size: Self.large, flaws: .init(transient: 10, lostAnswer: 5, sessionLost: 1, crash: 3),
            parameters: 2, refusal: refusal)
        try world.run()
        #expect(world.machine.transfer.state == .completed, "seed \(seed)")
        #expect(world.names == 0 && world.machine.transfer.plan == .fixed, "seed \(seed)")
        #expect(world.machine.transfer.shownBytes == Self.large)
    }

    private static let later = BlockParameters(version: 2, steps: [.init(from: 0, normal: 128 << 10)])

    /// What this device remembers of the drive is not so any more, or was not known to the release that it had then.
    @Test(arguments: PropertyCases.seeds(40), [later, nil])
    func whatIsCutOtherwiseThanTheDrivesFilesIsCutAgain(seed: UInt64, known: BlockParameters?) throws {
        var world = UploadWorld(
            seed: seed, size: Self.large, flaws: .init(transient: 10, lostAnswer: 5, crash: 3),
            refusal: .parametersDiffer, known: known)
        try world.run()
        #expect(world.machine.transfer.state == .completed, "seed \(seed)")
        #expect(world.names > 0 && world.machine.transfer.plan == .open, "seed \(seed)")
        #expect(world.known == .newest && world.machine.cuts == .newest)
    }

    /// What is named from then on is cut anew, in a session of its own.
    @Test(arguments: PropertyCases.seeds(40)) func aDriveThatIsCutOtherwiseMeanwhileIsCutAgain(seed: UInt64) throws {
        var world = UploadWorld(
            seed: seed, size: Self.large, flaws: .init(lostAnswer: 5, corrupt: 3), parameters: 2,
            refusal: .parametersDiffer, known: Self.later, changesAfter: 4 + Int(seed % 20))
        try world.run()
        #expect(world.machine.transfer.state == .completed, "seed \(seed)")
        #expect(world.sessionsBegun > 1 && world.machine.cuts == .newest, "seed \(seed)")
    }

    /// A server that says something else each time comes to an end.
    @Test func aServerThatNeverStaysAtWhatItSaysEndsTheUpload() throws {
        var world = UploadWorld(seed: 1, size: Self.large, flaws: .init())
        try world.act(world.machine.handle(.begin))
        _ = world.machine.handle(.sourceLooked(world.facts))
        var turns = 0
        while !world.machine.transfer.state.rests, turns < 100 {
            turns += 1
            let refused = Problem(.parametersDiffer, "otherwise").with { $0.blockParameters = turns % 2 }
            _ = world.machine.handle(.sessionRefused(TransferFailure(refused)))
        }
        #expect(world.machine.transfer.state == .failed && turns < 10)
        #expect(world.machine.transfer.lastError?.problem?.code == .parametersDiffer)
    }

    /// However often there is no room among the account's open uploads, the upload waits for it.
    @Test(arguments: PropertyCases.seeds(20)) func whereTooManyUploadsAreOpenTheUploadWaits(seed: UInt64) throws {
        var world = UploadWorld(seed: seed, size: Self.large, flaws: .init(lostAnswer: 5, full: 90))
        try world.run()
        #expect(world.machine.transfer.state == .completed, "seed \(seed)")
        #expect(world.machine.transfer.shownBytes == Self.large)
    }

    @Test func whereTooManyUploadsAreOpenItIsSaid() throws {
        var world = UploadWorld(seed: 1, size: Self.large, flaws: .init())
        let full = TransferFailure(Problem(.tooManyUploads, "Open uploads plan too much."))
        _ = world.machine.handle(.begin)
        _ = world.machine.handle(.sourceLooked(world.facts))
        for _ in 0..<50 {
            let actions = world.machine.handle(.sessionRefused(full))
            #expect(world.machine.transfer.state == .paused(.tooManyUploads))
            #expect(actions.contains { if case .backOff = $0 { true } else { false } })
            #expect(world.machine.handle(.backedOff).contains { if case .startSession = $0 { true } else { false } })
        }
        _ = world.machine.handle(
            .sessionTold(
                UploadResponse(
                    uploadId: "s", totalChunks: 0, chunksProcessed: 0, chunkSize: UploadLimits.blockSizes.upperBound,
                    uploadUrl: "/", uploadExpiresAt: Timestamp(seconds: 9), receivedChunks: [], file: nil)))
        let block = world.blocks[0]
        let segment = UploadSegment(index: 0, start: 0, firstBlock: 0, blocks: [block])
        let names = world.machine.handle(.segmentRead(segment))
        try #require(names.contains { if case .name = $0 { true } else { false } })
        let actions = world.machine.handle(.nameRefused(full))
        #expect(world.machine.transfer.state == .paused(.tooManyUploads))
        #expect(world.machine.transfer.lastError?.remedy.contains("cancel some") == true)
        #expect(actions.contains { if case .backOff = $0 { true } else { false } })
    }

    /// Of a copy, and of two files that were swapped, one request tells all.
    @Test(arguments: PropertyCases.seeds(20)) func whatTheDriveHasUnderAnotherNameIsThereAtOnce(seed: UInt64) throws {
        var world = UploadWorld(seed: seed, size: Self.large, flaws: .init(transient: 20, lostAnswer: 10), twin: .equal)
        try world.run()
        #expect(world.machine.transfer.state == .completed, "seed \(seed)")
        #expect(world.names == 0 && world.segments == 0 && world.machine.transfer.sentBytes == 0)
        #expect(world.machine.transfer.shownBytes == Self.large)
    }

    @Test(arguments: PropertyCases.seeds(20), [true, false])
    func whatIsNoCopyGoesUpAsEver(seed: UInt64, isEqual: Bool) throws {
        var world = UploadWorld(
            seed: seed, size: Self.large, flaws: .init(transient: 10, lostAnswer: 5, sessionLost: 1, crash: 3),
            twin: isEqual ? .equalAndLost : .another)
        try world.run()
        #expect(world.machine.transfer.state == .completed, "seed \(seed)")
        #expect(world.machine.transfer.shownBytes == Self.large)
    }

    @Test(arguments: PropertyCases.seeds(20), [nil, .another, .equal] as [UploadWorld.Twin?])
    func whatIsNotWhatItMustBeBecomesNoFile(seed: UInt64, twin: UploadWorld.Twin?) throws {
        var world = UploadWorld(
            seed: seed, size: Self.large, flaws: .init(transient: 10, lostAnswer: 5, sessionLost: 1, crash: 3),
            twin: twin, isDamaged: true)
        try world.run()
        #expect(world.machine.transfer.state == .failed, "seed \(seed)")
        #expect(world.machine.transfer.lastError?.code == .sourceDamaged, "seed \(seed)")
    }

    @Test(arguments: PropertyCases.seeds(40)) func lostSessionsAndOddAnswersEndInOneWayOrTheOther(seed: UInt64) throws {
        var world = UploadWorld(
            seed: seed, size: Self.large,
            flaws: .init(transient: 5, corrupt: 20, sessionLost: 5, impossible: 5, until: 5_000))
        try world.run()
        #expect([.completed, .failed].contains(world.machine.transfer.state), "seed \(seed)")
        if world.machine.transfer.state == .failed { #expect(world.machine.transfer.lastError != nil) }
    }

    /// A request for each segment of a file that is there would cost more than what is named.
    @Test(arguments: [1, 2, 4, 5, 7, 8] as [UInt64]) func whatIsKnownToBeThereIsNamedInFewRequests(seed: UInt64) throws
    {
        var world = UploadWorld(seed: seed, size: Self.large, flaws: .init())
        world.drive = Set(world.blocks.map(\.sha256))
        try world.run()
        #expect(world.machine.transfer.state == .completed)
        #expect(world.segments > 20 && world.names <= world.segments / 4 + 1)
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
