import BothyClient
import BothyContent
import BothyContract
import Testing

/// Drives a download's machine against a model of a server and a disk, in an order that the seed decides.
private struct DownloadWorld {
    struct Flaws {
        var transient = 0
        var odd = 0
        var expired = 0
        var newRevision = 0
        var corrupt = 0
        var crash = 0
        var until = 400
    }

    var random: SeededRandom
    var flaws: Flaws
    var machine: DownloadMachine
    var saved: DownloadTransfer
    var work = [DownloadMachine.Action]()
    /// Pieces of `cell` bytes that are in the partial file.
    var partial = Set<Int>()
    var revision = 1
    var partialRevision = 0
    var hashed: Int64 = 0
    var steps = 0
    var promotions = 0
    var promotedHoles = 0
    var reuses = 0
    /// What lies at the destination.
    var inPlace: Int?
    /// Whether it comes along with others.
    var comesWhole = false
    var receptions = 0
    let size: Int64
    private static let cell: Int64 = 32 << 10

    init(seed: UInt64, size: Int64, flaws: Flaws) {
        random = SeededRandom(seed)
        self.size = size
        self.flaws = flaws
        saved = DownloadTransfer(
            transferId: "t", order: DownloadOrder(fileId: "f", name: "a", destination: "/x/a"),
            now: Timestamp(seconds: 0))
        machine = DownloadMachine(saved)
    }

    mutating func run() throws {
        try act(machine.handle(.begin))
        while !machine.transfer.state.rests {
            steps += 1
            try #require(steps < 5_000, "the download comes to no end")
            if hit(flaws.crash) {
                try startAgain()
                continue
            }
            try #require(
                !work.isEmpty, "nothing is under way, and the download does not rest: \(machine.transfer.state)")
            let action = work.remove(at: Int.random(in: 0..<work.count, using: &random))
            if action == .promote || action == .receive, hit(flaws.crash) {
                _ = answer(action)
                try startAgain()
                continue
            }
            for event in answer(action) { try act(machine.handle(event)) }
        }
    }

    private mutating func startAgain() throws {
        machine = DownloadMachine(saved)
        work = []
        try act(machine.handle(.begin))
    }

    mutating func act(_ actions: [DownloadMachine.Action]) throws {
        for action in actions {
            switch action {
            case .save: saved = machine.transfer
            case .noteProgress: if Bool.random(using: &random) { saved = machine.transfer }
            case .discard:
                work = []
                partial = []
            case .prepare:
                work = [action]
            case .rest: work = []
            default: work.append(action)
            }
        }
        try #require(work.count { if case .fetch = $0 { true } else { false } } <= 4)
    }

    private mutating func hit(_ percent: Int) -> Bool {
        steps < flaws.until && Int.random(in: 0..<100, using: &random) < percent
    }

    private func hash(_ revision: Int) -> ContentHash { SHA256Hasher.hash([UInt8(revision & 255)]) }

    private mutating func answer(_ action: DownloadMachine.Action) -> [DownloadMachine.Event] {
        switch action {
        case .lookUp:
            if hit(flaws.transient) { return [.lookUpRefused(TransferFailure(.offline, "no"))] }
            return [
                .lookedUp(
                    RemoteContent(
                        revisionId: "r\(revision)", size: size, checksum: hash(revision), downloadUrl: "/c",
                        modifiedAt: Timestamp(seconds: 1), executable: false), comesWhole: comesWhole)
            ]
        case .receive: return [receive()]
        case .prepare(let keeping, let again):
            if again, partial.isEmpty, inPlace == revision { return [.foundInPlace] }
            let kept = keeping && !partial.isEmpty
            if !kept { partial = [] }
            return [.prepared(kept: kept)]
        case .reuse: return [.reused(reuse())]
        case .fetch(let range): return fetch(range)
        case .hash(let end):
            return end == size ? [.hashed(hit(flaws.corrupt) ? hash(0) : hash(revision))] : []
        case .promote:
            promotions += 1
            promotedHoles += Int((size + Self.cell - 1) / Self.cell) - partial.count
            inPlace = revision
            partial = []
            return [.promoted]
        case .backOff: return [.backedOff]
        case .discard, .save, .noteProgress, .rest: return []
        }
    }

    private mutating func receive() -> DownloadMachine.Event {
        if hit(flaws.transient) { return .lookUpRefused(TransferFailure(.offline, "no")) }
        if hit(flaws.odd) {
            comesWhole = false
            return Bool.random(using: &random)
                ? .receivedCorrupted : .notReceived(hasAddress: Bool.random(using: &random))
        }
        receptions += 1
        promotions += 1
        inPlace = revision
        return .received(carried: size)
    }

    /// Whole cells of a range; what of a block is beyond them is there too, and does not count.
    private mutating func fill(_ range: Range<Int64>) {
        let end = range.upperBound == size ? (size + Self.cell - 1) / Self.cell : range.upperBound / Self.cell
        let first = (range.lowerBound + Self.cell - 1) / Self.cell
        if first < end { partial.formUnion(Int(first)..<Int(end)) }
    }

    /// Nothing, much, or all of the file is here.
    private mutating func reuse() -> [Range<Int64>] {
        reuses += 1
        var (ranges, start) = ([Range<Int64>](), Int64(0))
        let kind = Int.random(in: 0..<3, using: &random)
        while kind > 0, start < size {
            let end = kind == 1 ? size : min(size, start + Int64.random(in: 1...(8 << 20), using: &random))
            ranges.append(start..<end)
            fill(start..<end)
            start = end + Int64.random(in: 1...(3 << 20), using: &random)
        }
        return ranges
    }

    private mutating func fetch(_ range: ChunkRun) -> [DownloadMachine.Event] {
        if hit(flaws.newRevision) {
            revision += 1
            return [.rangeRefused(range, TransferFailure(Problem(.notFound, "gone")), taken: 0)]
        }
        if hit(flaws.expired) { return [.rangeRefused(range, TransferFailure(Problem(.urlExpired, "late")), taken: 0)] }
        if hit(flaws.odd) { return [.rangeRefused(range, TransferFailure(.answerInvalid, "odd"), taken: 0)] }
        let end = hit(flaws.transient) ? Int.random(in: range.first...range.last, using: &random) : range.last + 1
        let arrived = range.first..<end
        let taken = Int64(end - range.first) * machine.transfer.chunkSize + 1
        let grid = ChunkGrid(size: size, chunkSize: machine.transfer.chunkSize)
        for chunk in arrived { fill(grid.range(of: chunk)) }
        return arrived.map { .chunkArrived($0) }
            + [
                end > range.last
                    ? .rangeDone(range) : .rangeRefused(range, TransferFailure(.offline, "cut"), taken: taken)
            ]
    }
}

@Suite struct DownloadMachineTests {
    private static let large: Int64 = (1 << 20) * 23 + 12_345

    @Test(arguments: PropertyCases.seeds(60)) func whateverTheNetworkDoesTheDownloadCompletes(seed: UInt64) throws {
        var world = DownloadWorld(
            seed: seed, size: Self.large, flaws: .init(transient: 20, expired: 5, newRevision: 2))
        try world.run()
        #expect(world.machine.transfer.state == .completed, "seed \(seed)")
        #expect(world.promotions == 1)
        #expect(world.promotedHoles == 0, "seed \(seed)")
        #expect(world.machine.transfer.downloadedChunks.isComplete)
    }

    @Test(arguments: PropertyCases.seeds(60)) func howeverOftenItIsKilledTheDownloadCompletes(seed: UInt64) throws {
        var world = DownloadWorld(seed: seed, size: Self.large, flaws: .init(transient: 5, crash: 10))
        try world.run()
        #expect(world.machine.transfer.state == .completed, "seed \(seed)")
        #expect(world.promotions == 1, "seed \(seed)")
        #expect(world.promotedHoles == 0, "seed \(seed)")
    }

    @Test func whatComesWholeTakesOneStep() throws {
        var world = DownloadWorld(seed: 1, size: 5_000, flaws: .init())
        world.comesWhole = true
        try world.run()
        #expect(world.machine.transfer.state == .completed && world.machine.transfer.fetchedBytes == 5_000)
        #expect(world.receptions == 1 && world.promotions == 1)
    }

    @Test(arguments: PropertyCases.seeds(60)) func whatComesWholeOrNotComesOnce(seed: UInt64) throws {
        var world = DownloadWorld(seed: seed, size: 5_000, flaws: .init(transient: 20, odd: 30, crash: 20))
        world.comesWhole = true
        try world.run()
        #expect(world.machine.transfer.state == .completed, "seed \(seed)")
        #expect(world.promotions == 1 && world.promotedHoles == 0, "seed \(seed)")
    }

    /// It has more than one chunk, or goes on with what was begun.
    @Test func aLargeFileComesPieceByPiece() throws {
        var world = DownloadWorld(seed: 1, size: Self.large, flaws: .init())
        world.comesWhole = true
        try world.run()
        #expect(world.machine.transfer.state == .completed && world.receptions == 0)
    }

    @Test(arguments: PropertyCases.seeds(40)) func whatIsHereIsNotFetched(seed: UInt64) throws {
        var world = DownloadWorld(seed: seed, size: Self.large, flaws: .init())
        try world.run()
        let transfer = world.machine.transfer
        #expect(transfer.state == .completed && world.promotedHoles == 0, "seed \(seed)")
        #expect(world.reuses == 1)
        #expect(transfer.shownBytes == Self.large && transfer.fetchedBytes <= Self.large)
    }

    /// What a reused block had was not what it should be, or this disk lies: nothing of it is taken a second time.
    @Test func afterAMismatchEverythingIsFetched() throws {
        for seed in PropertyCases.seeds(20) {
            var world = DownloadWorld(seed: seed, size: Self.large, flaws: .init(corrupt: 100, until: 200))
            try world.run()
            #expect(world.reuses == 1, "seed \(seed)")
        }
    }

    @Test(arguments: PropertyCases.seeds(40)) func corruptionIsNeverPromoted(seed: UInt64) throws {
        var world = DownloadWorld(seed: seed, size: Self.large, flaws: .init(odd: 5, corrupt: 60, until: 5_000))
        try world.run()
        #expect([.completed, .failed].contains(world.machine.transfer.state), "seed \(seed)")
        #expect((world.promotions == 1) == (world.machine.transfer.state == .completed))
    }

    @Test func aFileOfNoBytesIsFetchedByNothing() throws {
        var world = DownloadWorld(seed: 1, size: 0, flaws: .init())
        try world.run()
        #expect(world.machine.transfer.state == .completed)
    }

    @Test func aSizeThatCannotBeIsRefused() {
        for size in [-1, UploadLimits.maximumFileSize + 1] {
            var world = DownloadWorld(seed: 1, size: size, flaws: .init())
            #expect(throws: Never.self) { try world.run() }
            #expect(world.machine.transfer.lastError?.code == .answerInvalid)
        }
    }
}
