import BothyContract
import HTTPTypes
import Testing

@testable import BothyServer

/// What lay in a folder that was deleted for good is told of one by one: `removed` speaks of its own id alone.
@Suite struct GoneWithFolderTests {
    @Test func whatWasMovedOutOfAFolderIsToldOfAndWhatWasLeftInItIsRemoved() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("f")
        let saved = try await server.createFile("saved", in: folder.id)
        let left = try await server.createFile("left", in: folder.id)
        let inner = try await server.createFolder("g", in: folder.id)
        let deep = try await server.createFile("deep", in: inner.id)
        let before = try await server.cursor()
        _ = try await server.update(saved.id, UpdateFileRequest(parentId: File.rootId))
        _ = try await server.send(.delete, "/v1/files/\(folder.id)?permanent=true")
        _ = try await server.update(saved.id, UpdateFileRequest(name: "saved again"))
        let first = try await server.changes(after: before).changes
        #expect(first.map(\.id) == [folder.id, saved.id] && first.map(\.removed) == [true, false])

        try await server.drain()
        let all = try await server.changes(after: before).changes
        #expect(all.first { $0.id == saved.id }?.file?.name == "saved again")
        #expect(Set(all.filter(\.removed).map(\.id)) == [folder.id, left.id, inner.id, deep.id])
        let linked = try await server.changes(after: nil).changes
        #expect(Set(linked.map(\.id)) == [File.rootId, saved.id])
    }

    /// Nobody waits long behind it, and deleting itself is one entry.
    @Test func oneStepLogsAFewEntriesHoweverMuchLayInTheFolder() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("f")
        let count = 2 * Purge.batch + 50
        for number in 0..<count { _ = try await server.createFile("\(number)", in: folder.id) }
        func logged() async throws -> Int64 {
            try await server.database.read { try ChangeLog($0, drive: 1).head().sequence }
        }
        var before = try await logged()
        let whole = before
        _ = try await server.send(.delete, "/v1/files/\(folder.id)?permanent=true", as: .phone)
        #expect(try await logged() == before + 1)
        before += 1
        let stamps = server.parts.stamps
        while try await server.database.write({ try Purge.drain(in: $0, stamps: stamps) }) {
            let after = try await logged()
            #expect(after - before <= Int64(Purge.batch))
            before = after
        }
        #expect(try await logged() == whole + 1 + Int64(count))
        let byOthers = try await server.database.read { db in
            try db.first(
                "SELECT COUNT(*) FROM changes WHERE drive_id = 1 AND removed <> 0 AND device_id <> 'phone'")?.int(0)
        }
        #expect(byOthers == 0, "whoever deleted the folder deleted what lay in it")
    }

    @Test func whoeverWaitsIsWokenWhenAllIsTold() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("f")
        _ = try await server.createFile("x", in: folder.id)
        _ = try await server.send(.delete, "/v1/files/\(folder.id)?permanent=true")
        let ticket = try #require(await server.notifier.join(driveId: 1, deviceId: "phone"))
        let walk = PurgeWalk(database: server.database, stamps: server.parts.stamps, notifier: server.notifier)
        while try await walk.step() == .more {}
        let end = try await server.database.read { try ChangeLog($0, drive: 1).head() }
        #expect(await server.notifier.next(ticket, within: 60) == .changed(end))
    }

    /// One large folder that is taken away meanwhile would else keep every other from being deleted by who has looked before.
    @Test func aLargeFolderThatGoesIsOneThingToWhoChecksWhatChanged() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("f")
        let seen = try await server.cursor()
        let stamp = server.parts.stamps.stamp(for: TestCaller.phone.caller)
        let ids = (0...FileLimits.maximumChangesToCheck).map { "gone-\($0)" }
        let end = try await server.database.write {
            try ChangeLog($0, drive: 1).append(goneWithTheirFolder: ids, stamp: stamp)
        }
        #expect(try await server.cursor() == end?.text, "the log ends with the last of them")
        #expect(try await server.send(.delete, "/v1/files/\(folder.id)?asOf=\(seen)").status == 204)
    }

    @Test func tooManyOtherChangesAreStillNotLookedThrough() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("f")
        let seen = try await server.cursor()
        let stamp = server.parts.stamps.stamp(for: TestCaller.phone.caller)
        try await server.database.write { db in
            let log = ChangeLog(db, drive: 1)
            for number in 0...FileLimits.maximumChangesToCheck {
                try log.append(.file, "other-\(number)", stamp: stamp)
            }
        }
        #expect(try await server.send(.delete, "/v1/files/\(folder.id)?asOf=\(seen)").code == .subtreeChanged)
    }

    /// A restore lists the folder that is lost, and not each folder that lay in it.
    @Test func aRestoreTellsOfTheFolderThatIsLostAlone() async throws {
        let server = try await TestServer()
        let folder = try await server.createFolder("f")
        let inner = try await server.createFolder("g", in: folder.id)
        _ = try await server.createFile("x", in: inner.id)
        let then = try await server.cursor()
        _ = try await server.send(.delete, "/v1/files/\(folder.id)?permanent=true")
        try await server.drain()
        let plan: DriveRestore = try await server.restore(
            RestoreRequest(requestId: nil, cursor: then, dryRun: true)
        ).json()
        #expect(plan.counts.lost == 1)
    }
}
