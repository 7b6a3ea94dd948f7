import BothyContract
import GRDB
import Testing

@testable import BothyClient

/// What is done without a connection costs what it touches, and not what waits already.
@Suite struct JournalCostTests {
    /// `put` of 3,000 files without a connection took eight minutes: each read all that waited.
    @Test func recordingCostsTheSameHoweverMuchWaits() async throws {
        var costs = [[String]]()
        for waiting in [3, 300] {
            let replica = try TestReplica(PaperDrive())
            try await replica.pull()
            let docs = try await replica.record(.createFolder(parent: .root, name: "docs"))
            for number in 0..<waiting { try await replica.record(.createFolder(parent: docs, name: "\(number)")) }
            let run = StatementsRun()
            try await replica.store.transact { run.follow($0) }
            let before = run.all.count
            try await replica.record(.createFolder(parent: docs, name: "one more"))
            costs.append(Array(run.all.dropFirst(before)))
            try await replica.store.transact { run.end(on: $0) }
        }
        #expect(costs[0].count == costs[1].count && costs[0].count < 60, "\(costs.map(\.count))")
    }

    @Test func lookingCostsTheSameHoweverMuchWaits() async throws {
        var costs = [Int]()
        for waiting in [3, 300] {
            let replica = try TestReplica(PaperDrive())
            try await replica.pull()
            for number in 0..<waiting {
                try await replica.record(.createFolder(parent: .root, name: "\(number)"))
            }
            _ = try await replica.luid("/1")
            let run = StatementsRun()
            try await replica.store.view { run.follow($0.ground.db) }
            let before = run.all.count
            #expect(try await replica.luid("/2") != nil)
            costs.append(run.all.count - before)
            try await replica.store.view { run.end(on: $0.ground.db) }
        }
        #expect(costs[0] == costs[1] && costs[0] < 20, "\(costs)")
    }

    /// Whoever sends the journal is woken for each thing that is done, and read all of it each time.
    @Test func whoeverSendsReadsWhatIsNewAlone() async throws {
        let replica = try TestReplica(PaperDrive())
        try await replica.pull()
        for number in 0..<20 { try await replica.record(.createFolder(parent: .root, name: "\(number)")) }
        let all = try await replica.store.journalNews(since: nil)
        #expect(all.operations.count == 20 && all.gone == nil)
        let made = try await replica.record(.createFolder(parent: .root, name: "new"))
        _ = try await replica.recorder.discard(all.operations[3].id)
        let news = try await replica.store.journalNews(since: all.place)
        #expect(news.operations.map(\.facts.subject) == [made] && news.gone == [all.operations[3].id])
        let nothing = try await replica.store.journalNews(since: news.place)
        #expect(nothing.operations.isEmpty && nothing.gone == [] && nothing.place == news.place)
    }

    @Test func aLogThatDoesNotGoBackThatFarIsReadAsAWhole() async throws {
        let replica = try TestReplica(PaperDrive())
        try await replica.pull()
        let file = try await replica.record(.createFolder(parent: .root, name: "docs"))
        let place = try await replica.store.journalNews(since: nil).place
        try await replica.store.transact { db in
            for _ in 0...ViewChangeTable.mostKept {
                try db.execute(sql: "UPDATE operations SET attempts = attempts + 1 WHERE subject = \(file.value)")
            }
        }
        let news = try await replica.store.journalNews(since: place)
        #expect(news.gone == nil && news.operations.count == 1)
        let rows = try await replica.store.ground { try Int.fetchOne($0.db, sql: "SELECT count(*) FROM view_changes") }
        #expect(rows == ViewChangeTable.mostKept)
        #expect(try await replica.luid("/docs") == file)
    }

    /// A folder that is linked while nothing waits writes no log of it.
    @Test func whatTheServerTellsIsLoggedOnlyWhileSomethingWaits() async throws {
        let drive = PaperDrive()
        let (here, there) = (try TestReplica(drive), try TestReplica(drive, device: "phone"))
        for number in 0..<5 { try await there.record(.createFolder(parent: .root, name: "\(number)")) }
        _ = try await there.push()
        try await here.pull()
        let rows = try await here.store.ground { try Int.fetchOne($0.db, sql: "SELECT count(*) FROM view_changes") }
        #expect(rows == 1)
    }

    @Test func severalAreRecordedByOneTransactionAndARefusedOneKeepsNoOtherFromIt() async throws {
        let replica = try TestReplica(PaperDrive())
        try await replica.pull()
        let run = StatementsRun()
        try await replica.store.transact { run.follow($0) }
        let names = ["a", "b", "a", "c"]
        let results = try await replica.recorder.record(
            names.map { JournalRecorder.Draft(action: .createFolder(parent: .root, name: $0)) })
        try await replica.store.transact { run.end(on: $0) }
        #expect(results.map { (try? $0.get()) != nil } == [true, true, false, true])
        #expect(throws: ClientFailure.self) { try results[2].get() }
        #expect(try await replica.shown() == ["/a/", "/b/", "/c/"])
        // That of whoever began to follow, and that of all four.
        #expect(run.all.count { $0.hasPrefix("COMMIT") } == 2)
        let luids = try await replica.store.ground { try Int.fetchOne($0.db, sql: "SELECT count(*) FROM luids") }
        #expect(luids == 4, "what was refused left nothing behind")
    }

    @Test func severalFilesArePutAndOneThatIsMissingIsTold() async throws {
        let here = try TestEngine(PaperDrive())
        try await here.engine.pull()
        var puts = [ReplicaEngine.LaterPut]()
        for number in 0..<20 {
            let path = try here.folder.write("source-\(number)", [UInt8(number)])
            puts.append(ReplicaEngine.LaterPut(localPath: path, name: "\(number)", parentId: "root"))
        }
        puts[7].localPath = here.folder.file("nowhere")
        let results = try await here.engine.put(puts)
        #expect(results.count == 20)
        for (number, result) in results.enumerated() where number != 7 {
            let content = try result.get().content
            #expect(content?.size == 1 && content?.owned == true)
        }
        guard case .failure(let failure) = results[7] else {
            Issue.record("it is not there")
            return
        }
        #expect(failure.code == .fileMissing)
        #expect(try await here.names().count == 19)
        #expect(try here.entries(here.content.pendingFolder).count == 19)
        try await here.sync()
        #expect(here.drive.files.count { !$0.isFolder } == 19)
    }
}
