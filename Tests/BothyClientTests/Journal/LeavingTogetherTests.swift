import BothyContract
import GRDB
import Testing

@testable import BothyClient

/// Small uploads of the journal go together, and what came of them is written down together; each is done, refused or sent again as if
/// it had gone alone.
@Suite struct LeavingTogetherTests {
    private func upload(_ id: Int64, size: Int64) throws -> JournalOperation {
        let hash = try #require(ContentHash(bytes: [UInt8](repeating: 1, count: 32)))
        let content = PendingContent(
            path: "/x", size: size, checksum: hash, modifiedAt: Timestamp(seconds: 0), owned: true)
        return JournalOperation(
            id: id, requestId: "request-\(id)",
            action: .upload(parent: .root, name: "\(id)", content: content, conflict: .fork), subject: LUID(100 + id),
            createdAt: Timestamp(seconds: 0), updatedAt: Timestamp(seconds: 0))
    }

    private func star(_ id: Int64) -> JournalOperation {
        JournalOperation(
            id: id, requestId: "request-\(id)", action: .star(true), subject: LUID(100 + id),
            createdAt: Timestamp(seconds: 0), updatedAt: Timestamp(seconds: 0))
    }

    @Test func smallUploadsLeaveTogetherAndNothingElseWaitsForThem() throws {
        let large = Int64(UploadLimits.batchContent) + 1
        let leaving = LeavingOperations.together([
            try upload(1, size: 3), star(2), try upload(3, size: large), try upload(4, size: 0), star(5),
        ])
        #expect(leaving.map { $0.map(\.id) } == [[1, 4], [2], [3], [5]])
        #expect(LeavingOperations.together([]).isEmpty)
    }

    @Test func noMoreLeaveTogetherThanFitOneRequest() throws {
        let tiny = LeavingOperations.together(try (1...300).map { try upload($0, size: 1) })
        #expect(
            tiny.map(\.count) == [
                BatchGathering.mostItems, BatchGathering.mostItems, 300 - 2 * BatchGathering.mostItems,
            ])
        let size = Int64(UploadLimits.batchContent)
        for company in LeavingOperations.together(try (1...300).map { try upload($0, size: size) }) {
            #expect(company.reduce(0) { $0 + ($1.content?.size ?? 0) } <= BatchGathering.largestBody)
        }
    }

    /// Each was begun, and its answer written down, by a commit of its own.
    @Test func aThousandSmallFilesCostAFewCommits() async throws {
        let replica = try TestReplica(PaperDrive())
        try await replica.pull()
        for number in 0..<1000 { _ = try await replica.put("f\(number)", [UInt8(number & 255), UInt8(number >> 8)]) }
        let run = StatementsRun()
        try await replica.store.transact { run.follow($0) }
        #expect(try await replica.push() == .done)
        try await replica.pull()
        try await replica.store.transact { run.end(on: $0) }
        #expect(replica.fetched().count == 1000)
        #expect(try await replica.store.operations().isEmpty)
        // A thousand are eight companies: each is begun and ends, and there is the pull.
        #expect(run.all.count { $0.hasPrefix("COMMIT") } < 25)
    }

    @Test func oneThatIsRefusedKeepsNoOtherFromBeingDone() async throws {
        let replica = try TestReplica(PaperDrive())
        try await replica.pull()
        for number in 0..<20 { _ = try await replica.put("f\(number)", [UInt8(number), 1, 2]) }
        let all = try await replica.store.operations()
        try flipABit(of: #require(all[7].content).path, at: 1)
        #expect(try await replica.push() == .done)
        let left = try await replica.store.operations()
        #expect(left.count { $0.state == .acknowledged } == 19)
        #expect(left.filter { $0.state != .acknowledged }.map(\.id) == [all[7].id])
        #expect(left.first { $0.id == all[7].id }?.lastError?.code == .sourceDamaged)
        try await replica.pull()
        #expect(try await replica.store.operations().map(\.id) == [all[7].id])
        #expect(replica.fetched().count == 19)
    }

    /// What goes into a folder that was given up goes nowhere, and says so; what leaves with it goes.
    @Test func oneWhoseFolderWasNeverMadeGoesNowhereAndTheOthersGo() async throws {
        let replica = try TestReplica(PaperDrive())
        try await replica.pull()
        let docs = try await replica.record(.createFolder(parent: .root, name: "docs"))
        _ = try await replica.put("in", [1], in: docs)
        for number in 0..<3 { _ = try await replica.put("f\(number)", [UInt8(number), 1]) }
        let made = try await replica.store.operations()[0]
        try await replica.store.remove([made.id])
        #expect(try await replica.push() == .done)
        let left = try await replica.store.operations().filter { $0.state != .acknowledged }
        #expect(left.map(\.state) == [.parked] && left[0].lastError?.code == .parentGone)
        #expect(replica.fetched().count == 3)
    }

    /// The process ends with some of those that went together done at the drive, and their answers lost.
    @Test(arguments: [1, 5, 12])
    func aCrashInTheMiddleSendsTheSameRequestsAgain(lost: Int) async throws {
        let drive = PaperDrive()
        let folder = try TemporaryFolder()
        let first = try TestReplica(drive, folder: folder)
        try await first.pull()
        var luids = [LUID]()
        for number in 0..<12 { luids.append(try await first.put("f\(number)", [UInt8(number), 3])) }
        drive.faults.lostAnswers = lost
        guard case .held = try await first.push() else {
            Issue.record("the network failed")
            return
        }
        #expect(try await first.store.operations().allSatisfy { $0.attempts == 0 && $0.sent })
        try await first.store.close()
        let second = try TestReplica(drive, folder: folder)
        #expect(try await second.push() == .done)
        try await second.pull()
        #expect(second.fetched().count == 12 && Set(drive.requests).count == 12)
        #expect(drive.requests.count == 12 + lost, "what was written down as done is not asked for again")
        for (number, luid) in luids.enumerated() { #expect(try await second.luid("/f\(number)") == luid) }
        #expect(try await second.store.operations().isEmpty)
    }

    /// A transaction that writes down several answers is whole or not at all.
    @Test func answersThatCannotBeWrittenDownAreAskedForAgain() async throws {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        try await replica.pull()
        for number in 0..<6 { _ = try await replica.put("f\(number)", [UInt8(number), 4]) }
        let all = try await replica.store.operations()
        try await replica.store.transact { db in
            try db.execute(
                sql: """
                    CREATE TEMP TRIGGER no_room BEFORE UPDATE ON operations
                    WHEN NEW.id = \(all[4].id) AND NEW.state = 'acknowledged'
                    BEGIN SELECT RAISE(ABORT, 'no room'); END
                    """)
        }
        await #expect(throws: (any Error).self) { try await replica.push() }
        #expect(
            try await replica.store.operations().allSatisfy { $0.state == .sending && $0.acknowledgedVersion == nil })
        try await replica.store.transact { db in try db.execute(sql: "DROP TRIGGER no_room") }
        let next = JournalRunner(store: replica.store, drive: replica.provider, clock: replica.clock, chance: { 0.5 })
        #expect(try await next.push() == .done)
        try await replica.pull()
        #expect(replica.fetched().count == 6 && Set(drive.requests).count == 6 && drive.requests.count == 12)
        #expect(try await replica.store.operations().isEmpty)
    }

    /// Those that went side by side and found no way to the server have failed once, and are tried again soon.
    @Test func manyThatFailTogetherAreOneFailureOfTheNetwork() throws {
        let now = Timestamp(milliseconds: 1_700_000_000_000)
        var machine = JournalMachine(try (1...100).map { try upload($0, size: 1) })
        let busy = ClientFailure(status: 503)
        for operation in machine.next(now: now) { _ = machine.fail(operation.id, busy, now: now, chance: 0.99) }
        let first = try #require(machine.nextTime)
        #expect(first.milliseconds - now.milliseconds <= 1000)
        for operation in machine.next(now: first) { _ = machine.fail(operation.id, busy, now: first, chance: 0.99) }
        let second = try #require(machine.nextTime)
        #expect((1001...2000).contains(second.milliseconds - first.milliseconds))
    }
}
