import BothyClient
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

    private func until(_ condition: () -> Bool) async throws {
        while !condition() {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
