import BothyClient
import Foundation
import GRDB
import Testing

/// What is done here waits while it cannot be written down as sent, and no longer.
@Suite struct JournalOnAFullDiskTests {
    /// On a disk that was full for a moment everything waited from then on, until this process was started anew.
    @Test(.timeLimit(.minutes(10)))
    func whatCannotBeWrittenDownForAWhileIsSentOnceItCan() async throws {
        let here = try TestEngine(PaperDrive())
        try await here.engine.pull()
        var configuration = Configuration()
        // Time does not pass here, so the sender tries again without a rest: who rests between two tries never has a turn.
        configuration.busyMode = .callback { _ in true }
        let beside = try DatabaseQueue(path: here.folder.file("replica.sqlite"), configuration: configuration)
        try await beside.write { db in
            try db.execute(
                sql: "CREATE TRIGGER full BEFORE UPDATE ON operations BEGIN SELECT RAISE(ABORT, 'full'); END")
        }
        #expect(try await here.engine.start())
        _ = try await here.makeFolder("Letters")
        try await until { !here.clock.slept.isEmpty }
        #expect(here.drive.requests.isEmpty)
        try await beside.write { db in try db.execute(sql: "DROP TRIGGER full") }
        try await until { here.drive.files.contains { $0.name == "Letters" } }
        #expect(here.drive.requests.count == 1)
        try await here.engine.close()
    }

    /// The lock stayed with who had not begun: nobody of this device sent anything any more.
    @Test func whoCannotBeginToSendKeepsNobodyFromItLater() async throws {
        let here = try TestEngine(PaperDrive())
        let place = here.folder.file("replica.sqlite")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        await #expect(throws: ClientFailure.self) { try await here.engine.start() }
        try FileManager.default.removeItem(atPath: place)
        try #require(try await here.engine.start())
        _ = try await here.makeFolder("Letters")
        try await until { here.drive.files.contains { $0.name == "Letters" } }
        try await here.engine.close()
    }

    /// Its home was partly put back, say, and somebody else has signed in since.
    @Test func whatOneAccountsPersonDidIsSentIntoNoOther() async throws {
        let here = try TestEngine(PaperDrive())
        try await here.engine.pull()
        _ = try await here.makeFolder("Letters")
        let beside = try DatabaseQueue(path: here.folder.file("replica.sqlite"))
        try await beside.write { db in try db.execute(sql: "UPDATE replica SET account_id = 'somebody else'") }
        guard case .held(let failure) = try await here.engine.push() else {
            Issue.record("it was sent")
            return
        }
        #expect(failure.code == .accountRefused && here.drive.requests.isEmpty)
        try await beside.write { db in try db.execute(sql: "UPDATE replica SET account_id = 'paper#1'") }
        #expect(try await here.engine.push() == .done)
        #expect(here.drive.files.contains { $0.name == "Letters" })
        try await here.engine.close()
    }

    private func until(_ condition: () -> Bool) async throws {
        while !condition() {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
