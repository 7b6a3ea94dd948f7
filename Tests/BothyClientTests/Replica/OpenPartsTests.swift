import BothyContract
import Foundation
import Synchronization
import Testing

@testable import BothyClient

/// Open folders, as an app's screens hold them: told whole once, then what changes.
@Suite(.timeLimit(.minutes(10))) struct OpenPartsTests {
    /// A screen: it puts together what it is told, and never asks.
    private final class Screen: Sendable {
        private struct State {
            var shown = [LUID: ReplicaFile]()
            var deltas = [FolderDelta]()
        }

        private let state = Mutex(State())
        /// A value whenever something was told.
        private let (told, tell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        private let task = Mutex<Task<Void, Never>?>(nil)

        init(_ deltas: AsyncStream<FolderDelta>) {
            let reading = Task { [weak self] in
                for await delta in deltas { self?.take(delta) }
            }
            task.withLock { $0 = reading }
        }

        deinit { task.withLock { $0?.cancel() } }

        private func take(_ delta: FolderDelta) {
            state.withLock { state in
                state.deltas.append(delta)
                if delta.isWhole { state.shown = [:] }
                for luid in delta.removed { state.shown[luid] = nil }
                for file in delta.changed { state.shown[file.luid] = file }
            }
            tell.yield()
        }

        var deltas: [FolderDelta] { state.withLock { $0.deltas } }
        var files: [ReplicaFile] {
            state.withLock { $0.shown.values.sorted { $0.luid < $1.luid } }
        }

        /// What was told arrives in its own time.
        func shows(_ wanted: [ReplicaFile]) async -> Bool {
            let wanted = wanted.sorted { $0.luid < $1.luid }
            if files == wanted { return true }
            // Until the suite's time is over.
            for await _ in told where files == wanted { return true }
            return false
        }
    }

    @Test func anOpenFolderIsToldWholeAndThenByDeltas() async throws {
        let here = try TestEngine(PaperDrive())
        let first = try await here.put("a", [1])
        try await here.sync()
        let screen = Screen(try await here.engine.observe(.root))
        #expect(await screen.shows(try await here.engine.children(of: .root)))
        #expect(screen.deltas.map(\.isWhole) == [true])
        let second = try await here.put("b", [2])
        try await here.engine.record(.star(true), on: first)
        #expect(await screen.shows(try await here.engine.children(of: .root)))
        let later = screen.deltas.dropFirst()
        #expect(later.allSatisfy { !$0.isWhole && $0.removed.isEmpty })
        #expect(later.map { $0.changed.map(\.luid) } == [[second], [first]])
        try await here.engine.record(.trash(seen: .anything), on: first)
        #expect(await screen.shows(try await here.engine.children(of: .root)))
        #expect(screen.deltas.last?.removed == [first])
    }

    @Test func whatHappensWhileAFolderIsBeingOpenedIsNotMissed() async throws {
        let here = try TestEngine(PaperDrive())
        try await here.engine.pull()
        for round in 0..<40 {
            async let opening = here.engine.observe(.root)
            async let last = putThree(here, round)
            let screen = Screen(try await opening)
            _ = try await last
            #expect(await screen.shows(try await here.engine.children(of: .root)))
        }
    }

    private func putThree(_ here: TestEngine, _ round: Int) async throws -> LUID {
        _ = try await here.put("\(round) 0", [1])
        _ = try await here.put("\(round) 1", [1])
        return try await here.put("\(round) 2", [1])
    }

    @Test func whatIsSentAndComesBackChangesNoIdentityAndFlickersNever() async throws {
        let here = try TestEngine(PaperDrive())
        try await here.engine.pull()
        let screen = Screen(try await here.engine.observe(.root))
        let made = try await here.put("a", [1])
        try await here.sync()
        #expect(await screen.shows(try await here.engine.children(of: .root)))
        #expect(screen.files.map(\.luid) == [made] && screen.files.allSatisfy { $0.serverId != nil })
        #expect(screen.deltas.allSatisfy { $0.removed.isEmpty }, "it was never gone for a moment")
    }

    @Test func whatBeginsToWaitForAPersonIsToldThoughItLooksAsItDid() async throws {
        let drive = PaperDrive()
        let (here, there) = (try TestEngine(drive), try TestEngine(drive, device: "phone"))
        let file = try await here.put("a.txt", [1])
        try await here.sync()
        try await there.sync()
        try await here.engine.setConflictPolicy(.ask, of: .root)
        try await there.edit(try #require(try await there.engine.file(at: RemotePath("/a.txt"))).luid, [2])
        try await there.sync()
        try await here.edit(file, [3])
        var deltas = try await here.engine.observe(.root).makeAsyncIterator()
        let before = try #require(await deltas.next()?.changed)
        _ = try await here.engine.push()
        #expect(try await here.engine.conflicts().map(\.subject) == [file])
        let asking = try await toldUntilTheEnd(&deltas, here, "1")
        #expect(asking.map(\.luid).contains(file) && before.map(\.luid) == [file])
        let conflict = try #require(try await here.engine.conflicts().first)
        _ = try await here.engine.discard(conflict.id)
        #expect(try await toldUntilTheEnd(&deltas, here, "2").map(\.luid).contains(file))
    }

    /// What was told up to now: what is made here comes last.
    private func toldUntilTheEnd(
        _ deltas: inout AsyncStream<FolderDelta>.Iterator, _ here: TestEngine, _ name: String
    ) async throws -> [ReplicaFile] {
        let end = try await here.makeFolder(name)
        var told = [ReplicaFile]()
        while let delta = await deltas.next() {
            told += delta.changed.filter { $0.luid != end }
            if delta.changed.contains(where: { $0.luid == end }) { break }
        }
        return told
    }

    @Test func aPartTellsOnceWhatBeginsOrCeasesToWaitForAPerson() {
        let moment = Timestamp(seconds: 0)
        var file = ReplicaFile(
            luid: LUID(7), serverId: nil, parent: .root, name: "a", mimeType: "text/plain", createdAt: moment,
            modifiedAt: moment, updatedAt: moment)
        var part = FolderPart(folder: .root, [file])
        #expect(part.move([], asked: [LUID(7): true]) == FolderDelta(changed: [file], removed: []))
        #expect(part.move([], asked: [LUID(7): true]) == nil)
        #expect(part.move([], asked: [LUID(8): true]) == nil, "it lies elsewhere")
        file.name = "b"
        #expect(part.move([(LUID(7), file)], asked: [LUID(7): false])?.changed == [file], "once is enough")
        #expect(part.move([], asked: [LUID(7): false]) == nil)
    }

    @Test func twoWhoDoThingsAtOnceLoseNothingOfEachOther() async throws {
        let here = try TestEngine(PaperDrive())
        try await here.engine.pull()
        let screen = Screen(try await here.engine.observe(.root))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 { group.addTask { _ = try await here.makeFolder("f\(number)") } }
            try await group.waitForAll()
        }
        let all = try await here.engine.children(of: .root)
        #expect(all.count == 40)
        #expect(await screen.shows(all))
        // The overlay that was moved forty times is still right about what comes next.
        try await here.sync()
        #expect(await screen.shows(try await here.engine.children(of: .root)))
    }

    @Test func whatAnotherProcessDidIsToldWhenItIsHeardOf() async throws {
        let folder = try TemporaryFolder()
        let drive = PaperDrive()
        let (here, command) = (try TestEngine(drive, folder: folder), try TestEngine(drive, folder: folder))
        try await here.engine.pull()
        let screen = Screen(try await here.engine.observe(.root))
        try await command.put("typed elsewhere", [1])
        try await here.engine.wake()
        #expect(await screen.shows(try await here.engine.children(of: .root)))
        #expect(screen.files.count == 1)
    }

    /// Any history of what is done here, done elsewhere, fetched, sent, given up and let go: a folder that is moved by
    /// deltas shows what it would show if it were opened anew.
    @Test(arguments: PropertyCases.seeds(6))
    func aFolderMovedByDeltasIsTheFolderOpenedAnew(_ seed: UInt64) async throws {
        var dice = SeededRandom(seed)
        let drive = PaperDrive()
        let (here, there) = (try TestEngine(drive), try TestEngine(drive, device: "phone"))
        let inner = try await here.makeFolder("inner")
        try await here.sync()
        try await there.sync()
        let open = [LUID.root, inner]
        var screens = [Screen]()
        for folder in open { screens.append(Screen(try await here.engine.observe(folder))) }
        for step in 0..<20 {
            switch dice.below(8) {
            case 0...3: try? await deed(&dice, here)
            case 4, 5:
                try? await deed(&dice, there)
                if dice.below(2) == 0 { try await there.sync() }
            case 6:
                if dice.below(4) == 0 { drive.faults.lostAnswers = 1 }
                try await here.sync()
            default:
                let operations = try await here.engine.operations()
                if dice.below(3) == 0, let one = operations.last(where: { !$0.sent }) {
                    try await here.engine.discard(one.id)
                } else {
                    try await here.engine.pull()
                }
            }
            for (screen, folder) in zip(screens, open) {
                let anew = try await here.engine.children(of: folder)
                #expect(await screen.shows(anew), "seed \(seed), step \(step), folder \(folder)")
            }
        }
    }

    private func deed(_ dice: inout SeededRandom, _ device: TestEngine) async throws {
        let engine = device.engine
        let inner = try await engine.file(at: RemotePath("/inner"))?.luid ?? .root
        let parent = dice.below(2) == 0 ? LUID.root : inner
        let files = try await engine.children(of: .root) + (try await engine.children(of: inner))
        let subject = files.isEmpty ? nil : files[dice.below(files.count)]
        guard dice.below(3) > 0, let subject, subject.luid != inner else {
            _ = try await device.put("n\(dice.below(4))", [UInt8(dice.below(3))], in: parent)
            return
        }
        switch dice.below(5) {
        case 0: try await engine.record(.rename(name: "r\(dice.below(4))"), on: subject.luid)
        case 1: try await engine.record(.move(parent: parent, name: nil), on: subject.luid)
        case 2: try await engine.record(.trash(seen: .anything), on: subject.luid)
        case 3: try await engine.record(.star(!subject.starred), on: subject.luid)
        default: try await device.edit(subject.luid, [UInt8(dice.below(200)), 1])
        }
    }

    // MARK: - What it costs

    @Test func aChangeFromElsewhereIsOneDeltaOfOneRow() async throws {
        let drive = PaperDrive()
        let (here, there) = (try TestEngine(drive), try TestEngine(drive, device: "phone"))
        for number in 0..<30 { try await here.put("\(number)", [1]) }
        try await here.sync()
        try await there.sync()
        let screen = Screen(try await here.engine.observe(.root))
        #expect(await screen.shows(try await here.engine.children(of: .root)))
        let changed = try #require(try await here.engine.file(at: RemotePath("/7"))?.luid)
        try await there.edit(try #require(try await there.engine.file(at: RemotePath("/7"))?.luid), [2, 2])
        try await there.sync()
        let run = StatementsRun()
        let store = try await here.engine.store()
        try await store.view { run.follow($0.ground.db) }
        try await here.engine.pull()
        let cost = run.all
        try await store.view { run.end(on: $0.ground.db) }
        #expect(cost.contains { $0.contains("WHERE f.luid = ?") })
        #expect(!cost.contains { $0.contains("ORDER BY f.rank, f.name") }, "the folder is not read again")
        let end = try await here.makeFolder("end")
        #expect(await screen.shows(try await here.engine.children(of: .root)))
        let told = screen.deltas
        #expect(told.map(\.isWhole) == [true, false, false])
        #expect(told.dropFirst().map { $0.changed.map(\.luid) } == [[changed], [end]])
        #expect(told.dropFirst().allSatisfy { $0.removed.isEmpty } && told[1].changed.first?.size == 2)
    }

    /// One transaction, and as many statements for a long folder as for a short one, each a search by an index.
    @Test func openingAPartFromDiskIsOneRead() async throws {
        var costs = [[String]]()
        for files in [10, 5_000] {
            let folder = try TemporaryFolder()
            let store = try ReplicaDatabase.open(path: folder.file("r.sqlite"), now: Timestamp(seconds: 0)).store
            try await store.fill(files: files, in: 1)
            let run = StatementsRun()
            // Nobody else reads: the part is opened on the same connection.
            try await store.view { run.follow($0.ground.db) }
            let before = run.all.count
            var deltas = try await ReplicaParts().open(LUID(2), in: store).makeAsyncIterator()
            let cost = Array(run.all.dropFirst(before))
            #expect(await deltas.next()?.changed.count == files)
            #expect(cost.count { $0.hasPrefix("BEGIN") } == 1 && cost.count <= 16, "\(cost)")
            #expect(try await store.view { try run.scans(in: $0.ground.db) } == [])
            costs.append(cost)
            try await store.close()
        }
        #expect(costs[0] == costs[1])
    }

    /// A ground in memory that counts how often it is asked.
    private final class CountingGround: OverlayGround {
        private let files: [LUID: ReplicaFile]
        private let names: [NameInFolder: LUID]
        private(set) var reads = 0

        init(_ count: Int) {
            let time = Timestamp(seconds: 0)
            var files = [LUID: ReplicaFile]()
            files[.root] = ReplicaFile(
                luid: .root, serverId: "root", parent: nil, name: "", mimeType: File.folderMimeType, createdAt: time,
                modifiedAt: time, updatedAt: time)
            for number in 2..<Int64(count + 2) {
                files[LUID(number)] = ReplicaFile(
                    luid: LUID(number), serverId: "s\(number)", parent: .root, name: "n\(number)",
                    mimeType: File.defaultMimeType, version: 1, createdAt: time, modifiedAt: time, updatedAt: time)
            }
            self.files = files
            names = Dictionary(
                uniqueKeysWithValues: files.values.compactMap { file in
                    file.parent.map { (NameInFolder(parent: $0, name: file.name), file.luid) }
                })
        }

        var all: [ReplicaFile] { files.values.filter { $0.luid != .root } }

        func file(_ luid: LUID) -> ReplicaFile? {
            reads += 1
            return files[luid]
        }

        func child(at place: NameInFolder) -> LUID? {
            reads += 1
            return names[place]
        }
    }

    private func operation(_ id: Int64, _ action: JournalOperation.Action, on luid: Int64) -> JournalOperation {
        let time = Timestamp(seconds: 0)
        return JournalOperation(
            id: id, requestId: "r\(id)", action: action, subject: LUID(luid), createdAt: time, updatedAt: time)
    }

    /// How often the cache is asked for one change of a list with many operations over it.
    private func cost(of change: (inout Overlay, CountingGround) throws -> Set<LUID>, in count: Int) throws -> Int {
        let ground = CountingGround(count)
        var overlay = try Overlay(
            (1...Int64(count / 100)).map { operation($0, .star(true), on: $0 * 50) }, over: ground)
        var part = FolderPart(folder: .root, ground.all)
        let before = ground.reads
        let changed = try change(&overlay, ground)
        let delta = try part.move(changed.sorted().map { ($0, try overlay.file($0, over: ground)) })
        #expect(changed.count <= 2 && (delta?.changed.count ?? 0) <= 2)
        return ground.reads - before
    }

    @Test func aChangeInAListOfAHundredThousandCostsWhatItTouches() throws {
        let changes: [(inout Overlay, CountingGround) throws -> Set<LUID>] = [
            { overlay, ground in try overlay.put(self.operation(.max, .rename(name: "new"), on: 77), over: ground) },
            { overlay, ground in try overlay.put(self.operation(.max, .trash(seen: .anything), on: 50), over: ground) },
            { overlay, ground in try overlay.remove(3, over: ground) },
            { overlay, ground in try overlay.rebase([.file(LUID(150))], retired: [3], over: ground) },
            { overlay, ground in try overlay.rebase([.file(LUID(151))], over: ground) },
        ]
        for change in changes {
            let (small, large) = (try cost(of: change, in: 1000), try cost(of: change, in: 100_000))
            #expect(small == large && large <= 8, "\(small) reads of 1,000, \(large) of 100,000")
        }
    }
}
