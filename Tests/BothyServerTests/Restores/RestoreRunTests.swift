import BothyContract
import Testing

@testable import BothyServer

/// A restore while it runs: others at work, a crash in the middle, and what it leaves behind.
@Suite struct RestoreRunTests {
    /// Begins a restore, and leaves it there, as a crash would.
    private func begin(_ request: RestoreRequest, on server: TestServer) async throws -> RestoreRow {
        let opening = RestoreOpening(request: request, identity: .none(for: "POST /v1/restore"))
        let stamp = server.parts.stamps.stamp(for: TestCaller.kitchen.caller)
        return try await server.database.write { try opening.perform(in: $0, stamp: stamp) }
    }

    @Test func whatSomebodyChangesWhileItRunsStaysAsTheyMadeIt() async throws {
        let server = try await TestServer()
        let file = try await server.createFile("a")
        let other = try await server.createFile("b")
        let cursor = try await server.cursor()
        _ = try await server.update(file.id, UpdateFileRequest(name: "spoilt a"))
        _ = try await server.update(other.id, UpdateFileRequest(name: "spoilt b"))
        let row = try await begin(RestoreRequest(requestId: nil, cursor: cursor), on: server)
        #expect(try await server.parts.restores.resume())
        _ = try await server.update(file.id, UpdateFileRequest(name: "mine"), as: .phone)
        while try await server.parts.restores.resume() {}
        #expect(try await server.names() == ["b", "mine"])
        let changes = try await server.restoreChanges(row.id)
        #expect(changes.first { $0.fileId == file.id }?.outcome == .skipped)
        #expect(changes.first { $0.fileId == other.id }?.outcome == .done)
    }

    @Test func aSecondRestoreWaitsForTheFirst() async throws {
        let server = try await TestServer()
        let cursor = try await server.cursor()
        let row = try await begin(RestoreRequest(requestId: nil, cursor: cursor), on: server)
        let answer = try await server.restore(RestoreRequest(requestId: nil, cursor: cursor))
        #expect(answer.code == .restoreRunning)
        #expect(try answer.problem().restoreId == row.id)
        while try await server.parts.restores.resume() {}
        #expect(try await server.restore(RestoreRequest(requestId: nil, cursor: cursor)).status == 200)
    }

    @Test func whatWasEmptyIsEmptyAgainAndTheExecutableBitComesBack() async throws {
        let server = try await TestServer()
        let file = try await server.createFile("script")
        _ = try await server.update(file.id, UpdateFileRequest(executable: true))
        let cursor = try await server.cursor()
        _ = try await server.commit("content", FilePlacement(fileId: file.id, name: "script"))
        _ = try await server.update(file.id, UpdateFileRequest(executable: false))
        let answer = try await server.restore(RestoreRequest(requestId: nil, cursor: cursor, fileId: file.id))
        #expect(answer.status == 200, "\(answer.text)")
        let back = try await server.file(file.id)
        #expect(back.size == 0 && back.executable)
        let before: DriveRestore = try answer.json()
        _ = try await server.restore(RestoreRequest(requestId: nil, cursor: before.before))
        #expect(try await server.file(file.id).size == 7)
    }

    /// What a restore replaces is as much a person's work as what it brings back.
    @Test func whatIsReplacedStaysInTheHistory() async throws {
        let server = try await TestServer()
        let first = try await server.commit("one", FilePlacement(name: "x"))
        let cursor = try await server.cursor()
        let second = try await server.commit("second", FilePlacement(fileId: first.file.id, name: "x"))
        #expect(try await server.restore(RestoreRequest(requestId: nil, cursor: cursor)).status == 200)
        #expect(try await server.file(first.file.id).checksum == first.file.checksum)
        let path = "/v1/files/\(first.file.id)/revisions"
        let list: GetRevisionsResponse = try await server.send(.get, path).json()
        #expect(list.revisions.count == 3)
        #expect(list.revisions.dropFirst().map(\.revisionId) == [second.revision.id, first.revision.id])
    }

    @Test func aPlanIsCarriedOutOnceAndOnlyWhileNothingItSpeaksOfHasChanged() async throws {
        let server = try await TestServer()
        let file = try await server.createFile("a")
        let cursor = try await server.cursor()
        _ = try await server.update(file.id, UpdateFileRequest(name: "spoilt"))
        func plan() async throws -> String {
            let plan: DriveRestore = try await server.restore(
                RestoreRequest(requestId: nil, cursor: cursor, dryRun: true)
            ).json()
            return plan.restoreId
        }
        let old = try await plan()
        _ = try await server.update(file.id, UpdateFileRequest(name: "mine"), as: .phone)
        #expect(try await server.restore(RestoreRequest(requestId: nil, planId: old)).code == .planChanged)
        #expect(try await server.names() == ["mine"])
        let new = try await plan()
        #expect(try await server.restore(RestoreRequest(requestId: nil, planId: new)).status == 200)
        #expect(try await server.names() == ["a"])
        #expect(try await server.restore(RestoreRequest(requestId: nil, planId: new)).code == .planChanged)
    }

    @Test func plansAreForgottenAfterADayAndRestoresAfterThirty() async throws {
        let server = try await TestServer()
        let cursor = try await server.cursor()
        _ = try await server.createFile("a")
        let plan: DriveRestore = try await server.restore(
            RestoreRequest(requestId: nil, cursor: cursor, dryRun: true)
        ).json()
        let done: DriveRestore = try await server.restore(RestoreRequest(requestId: nil, cursor: cursor)).json()
        for (days, expected) in [(Int64(2), [404, 200]), (31, [404, 404])] {
            server.clock.advance(seconds: days * 86_400)
            let lived = Int64(server.clock.uptimeSeconds())
            let prune: @Sendable (any SQLConnection) throws -> Int = { db in
                try RestoreTable.prune(
                    plansBefore: lived - Retention.plans, finishedBefore: lived - Retention.outcomes, limit: 1, in: db)
            }
            while try await server.database.write(prune) > 0 {}
            for (id, status) in zip([plan.restoreId, done.restoreId], expected) {
                #expect(try await server.send(.get, "/v1/restore/\(id)").status == status)
            }
        }
    }

    @Test func aDriveOfAnotherSchemaBeginsItsHistoryAtTheUpdate() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("bothy.sqlite")
        let old = try await SQLiteDatabase.open(path: path, migrations: [migration001Drives, migration002Accounts])
        try await old.write { db in
            try db.execute(
                "INSERT INTO drives (drive_id, owner_id, root_id, last_sequence) VALUES (1, 1, 'root', 7)")
        }
        try await old.close()
        let new = try await SQLiteDatabase.open(path: path)
        #expect(try await new.read { try NodeHistory($0, drive: 1).beginning() } == 7)
        try await new.close()
    }
}
