import BothyClient
import BothyContract
import Testing

/// A server that was put back to a backup after it had answered, and before the answer's effect was in the cache.
@Suite struct PutBackTests {
    /// - Returns: the replica after it has pulled from the server that was put back.
    private func putBack(_ deed: (TestReplica, LUID) async throws -> Void) async throws -> TestReplica {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        let file = try await replica.put("a", [1])
        _ = try await replica.push()
        try await replica.pull()
        let backup = drive.backup
        try await deed(replica, file)
        _ = try await replica.push()
        #expect(try await replica.store.operations().allSatisfy { $0.state == .acknowledged })
        drive.putBack(to: backup)
        try await replica.pull()
        return replica
    }

    /// What waits is sent, and there is nothing left after it.
    private func comesToRest(_ replica: TestReplica) async throws {
        let shown = try await replica.shown()
        #expect(try await replica.push() == .done)
        try await replica.pull()
        #expect(try await replica.store.operations().isEmpty)
        #expect(try await replica.shown() == shown && replica.fetched() == shown)
    }

    @Test func aRenameIsAskedForAgain() async throws {
        let replica = try await putBack { try await $0.record(.rename(name: "b"), on: $1) }
        #expect(try await replica.shown().contains { $0.hasPrefix("/b ") })
        try await comesToRest(replica)
    }

    @Test func aFolderAndWhatIsInItAreMadeAgainUnderTheirOldNumbers() async throws {
        var made = [LUID]()
        let replica = try await putBack { replica, _ in
            made.append(try await replica.record(.createFolder(parent: .root, name: "d")))
            made.append(try await replica.put("f", [2], in: made[0]))
        }
        try await comesToRest(replica)
        #expect(try await [replica.luid("/d"), replica.luid("/d/f")] == made)
    }

    @Test func contentIsSentAgain() async throws {
        let replica = try await putBack { replica, file in
            let base = try await replica.store.cached(file)?.headRevisionId
            try await replica.record(.newRevision(content: replica.content([2, 2]), base: base), on: file)
        }
        try await comesToRest(replica)
        #expect(replica.drive.files.contains { $0.size == 2 })
    }

    @Test func contentOfSomethingThatTheBackupHasOtherwiseIsAskedAbout() async throws {
        let drive = PaperDrive()
        let (replica, other) = (try TestReplica(drive), try TestReplica(drive, device: "phone"))
        let file = try await replica.put("a", [1])
        _ = try await replica.push()
        let backup = drive.backup
        try await other.pull()
        let there = try #require(try await other.luid("/a"))
        let old = try await other.store.cached(there)?.headRevisionId
        try await other.record(.newRevision(content: other.content([2, 2]), base: old), on: there)
        _ = try await other.push()
        try await replica.pull()
        let base = try await replica.store.cached(file)?.headRevisionId
        try await replica.record(.newRevision(content: replica.content([3, 3, 3]), base: base), on: file)
        _ = try await replica.push()
        drive.putBack(to: backup)
        try await replica.pull()
        _ = try await replica.push()
        let waiting = try #require(try await replica.store.operations().first)
        #expect(waiting.state == .conflict && waiting.content != nil)
    }

    @Test func whatTheBackupHasIsNotAskedForAgain() async throws {
        let drive = PaperDrive()
        let replica = try TestReplica(drive)
        try await replica.pull()
        try await replica.record(.createFolder(parent: .root, name: "d"))
        _ = try await replica.put("f", [1])
        _ = try await replica.push()
        let asked = drive.requests.count
        drive.putBack(to: drive.backup)
        try await replica.pull()
        #expect(try await replica.store.operations().isEmpty)
        _ = try await replica.push()
        #expect(drive.requests.count == asked && replica.fetched().count == 2)
    }

    /// The version that was answered may be that of something else in the new life.
    @Test func aVersionOfAnotherLifeIsNoSignThatItWasDone() async throws {
        let replica = try await putBack { try await $0.record(.rename(name: "b"), on: $1) }
        #expect(try await replica.store.operations().map(\.state) == [.queued])
        let drive = PaperDrive()
        let second = try TestReplica(drive)
        let file = try await second.put("a", [1])
        _ = try await second.push()
        try await second.pull()
        let backup = drive.backup
        try await second.record(.rename(name: "b"), on: file)
        _ = try await second.push()
        drive.putBack(to: backup)
        let id = try #require(try await second.store.serverId(of: file))
        _ = try await drive.from("phone").update(
            id, UpdateFileRequest(starred: true), seen: nil, requestId: "a star elsewhere")
        try await second.pull()
        #expect(try await second.store.operations().map(\.state) == [.queued])
        try await comesToRest(second)
    }
}
