import BothyClient
import BothyContract
import Testing

/// Who deletes a folder has seen what they put into it themselves, and nothing that others put there meanwhile.
@Suite struct FolderDeletionTests {
    private func comesToRest(_ replica: TestReplica) async throws {
        for _ in 0..<3 {
            _ = try await replica.push()
            try await replica.pull()
        }
        #expect(try await replica.store.operations().isEmpty)
    }

    /// A folder that is known here, and that somebody is about to delete, after this is done in it.
    private func deletion(after deed: (TestReplica, LUID) async throws -> Void) async throws -> TestReplica {
        let replica = try TestReplica(PaperDrive())
        let folder = try await replica.record(.createFolder(parent: .root, name: "d"))
        _ = try await replica.put("old", [1], in: folder)
        _ = try await replica.push()
        try await replica.pull()
        try await deed(replica, folder)
        let seen = try await replica.store.view { view in try view.seen(folder) }
        try await replica.record(.trash(seen: seen), on: folder)
        return replica
    }

    private func put(_ name: String, by device: String, into folder: LUID, of replica: TestReplica) async throws {
        let id = try #require(try await replica.store.serverId(of: folder))
        _ = try await replica.drive.from(device).upload(
            DriveUpload(
                requestId: name, localPath: replica.content([9]).path, name: name, parentId: id, conflict: .fail))
    }

    @Test func whatWasPutThereFromHereIsNoReasonToKeepTheFolder() async throws {
        let replica = try await deletion { replica, folder in
            let new = try await replica.put("new", [2], in: folder)
            try await replica.record(.rename(name: "newer"), on: new)
            let old = try #require(try await replica.luid("/d/old"))
            let base = try await replica.store.cached(old)?.headRevisionId
            try await replica.record(.newRevision(content: replica.content([3, 3]), base: base), on: old)
        }
        try await comesToRest(replica)
        #expect(replica.fetched().isEmpty)
    }

    @Test func whatSomebodyElsePutThereMeanwhileKeepsTheFolder() async throws {
        let replica = try await deletion { replica, folder in _ = try await replica.put("new", [2], in: folder) }
        let folder = try #require(try await replica.store.operations().last?.subject)
        _ = try await replica.runner.push()
        try await put("theirs", by: "phone", into: folder, of: replica)
        try await replica.pull()
        _ = try await replica.runner.push()
        #expect(try await replica.store.operations().map(\.state) == [.conflict])
        #expect(replica.fetched().contains { $0.hasPrefix("/d/theirs ") })
    }

    /// What waits to be sent from here has come to the server by another hand, and lies in the folder that is deleted here.
    @Test func aPhotoThatSomebodyElsePutThereMeanwhileKeepsTheFolder() async throws {
        let replica = try await deletion { replica, _ in
            let photo = JournalOperation.Action.upload(
                parent: .root, name: "mine", content: try replica.content([9]), conflict: .fork)
            try await replica.record(photo, kind: .photo)
        }
        let folder = try #require(try await replica.store.operations().last?.subject)
        try await put("theirs", by: "phone", into: folder, of: replica)
        try await replica.pull()
        _ = try await replica.runner.push()
        #expect(try await replica.store.operations().map(\.state) == [.conflict])
        #expect(replica.fetched().contains { $0.hasPrefix("/d/theirs ") })
    }

    /// The folder has been made at the server, and not come back in the log, when it is deleted here.
    @Test func aFolderThatWasMadeAndDeletedHereIsKeptForWhatSomebodyElsePutThere() async throws {
        for isDeletedFirst in [true, false] {
            let replica = try TestReplica(PaperDrive())
            try await replica.pull()
            let folder = try await replica.record(.createFolder(parent: .root, name: "d"))
            if isDeletedFirst {
                // Its answer is lost, so that it is not known here to be there.
                replica.drive.faults.lostAnswers = 1
                _ = try await replica.runner.push()
                try await replica.record(.trash(seen: .anything), on: folder)
                try await replica.runner.wake()
            }
            _ = try await replica.runner.push()
            try await put("theirs", by: "phone", into: folder, of: replica)
            if !isDeletedFirst {
                let seen = try await replica.store.view { view in try view.seen(folder) }
                try await replica.record(.trash(seen: seen), on: folder)
            }
            try await replica.pull()
            _ = try await replica.runner.push()
            #expect(replica.fetched().contains { $0.hasPrefix("/d/theirs ") })
        }
    }

    /// It was made and deleted before anything was known of the drive.
    @Test(arguments: [true, false], [true, false])
    func aFolderThatWasDeletedBeforeTheFirstPageIsKeptForWhatSomebodyElsePutThere(_ isPutBefore: Bool, _ isPut: Bool)
        async throws
    {
        let replica = try TestReplica(PaperDrive())
        let folder = try await replica.record(.createFolder(parent: .root, name: "d"))
        // Its answer is lost, so that it is not known here to be there.
        replica.drive.faults.lostAnswers = 1
        _ = try await replica.runner.push()
        try await replica.record(.trash(seen: .anything), on: folder)
        try await replica.runner.wake()
        _ = try await replica.runner.push()
        if isPut, isPutBefore { try await put("theirs", by: "phone", into: folder, of: replica) }
        try await replica.pull()
        if isPut, !isPutBefore { try await put("theirs", by: "phone", into: folder, of: replica) }
        _ = try await replica.runner.push()
        #expect(replica.fetched().contains { $0.hasPrefix("/d/theirs ") } == isPut)
        if !isPut {
            try await comesToRest(replica)
            #expect(replica.fetched().isEmpty)
        }
    }

    @Test func aFolderThatWasMadeAndDeletedHereAloneGoes() async throws {
        let replica = try TestReplica(PaperDrive())
        try await replica.pull()
        let folder = try await replica.record(.createFolder(parent: .root, name: "d"))
        _ = try await replica.put("mine", [1], in: folder)
        _ = try await replica.push()
        let seen = try await replica.store.view { view in try view.seen(folder) }
        try await replica.record(.trash(seen: seen), on: folder)
        try await comesToRest(replica)
        #expect(replica.fetched().isEmpty)
    }

    @Test func aDeletionThatCannotTellWhatWasSeenIsAskedAbout() async throws {
        let replica = try await deletion { _, _ in }
        replica.drive.beginEpoch()
        try await replica.pull()
        _ = try await replica.push()
        #expect(try await replica.store.operations().map(\.state) == [.conflict])
        #expect(replica.fetched().count == 2)
    }

    /// The log tells of it before the move is sent: it is not in the folder yet, and will be when that is deleted.
    @Test(arguments: [false, true])
    func whatSomebodyElsePutIntoWhatWasMovedThereKeepsTheFolder(_ isAnEdit: Bool) async throws {
        let replica = try await deletion { replica, folder in
            let inner = try await replica.record(.createFolder(parent: .root, name: "inner"))
            _ = try await replica.put("deep", [5], in: inner)
            _ = try await replica.push()
            try await replica.pull()
            try await replica.record(.move(parent: folder, name: nil), on: inner)
        }
        let inner = try #require(try await replica.store.operations().first?.subject)
        if isAnEdit {
            let file = try #require(replica.drive.files.first { $0.name == "deep" })
            _ = try await replica.drive.from("phone").upload(
                DriveUpload(
                    requestId: "theirs", localPath: replica.content([9]).path, name: "deep", parentId: File.rootId,
                    fileId: file.id, conflict: .fail))
        } else {
            try await put("theirs", by: "phone", into: inner, of: replica)
        }
        try await replica.pull()
        _ = try await replica.push()
        #expect(try await kindsAndStates(replica) == ["trash conflict"])
        #expect(replica.fetched().contains { $0.hasPrefix("/d/inner/\(isAnEdit ? "deep" : "theirs") ") })
    }

    // MARK: - What was moved out of it

    /// A folder `d` with `d/old`, which is moved out of it, to where somebody else has put something of that name.
    private func deletionAfterAMoveThatMeetsSomething(nested: Bool) async throws -> TestReplica {
        let replica = try await deletion { replica, folder in
            var thing = try #require(try await replica.luid("/d/old"))
            if nested {
                let inner = try await replica.record(.createFolder(parent: folder, name: "inner"))
                try await replica.record(.move(parent: inner, name: nil), on: thing)
                _ = try await replica.push()
                try await replica.pull()
                thing = try #require(try await replica.luid("/d/inner/old"))
            }
            try await put("old", by: "phone", into: .root, of: replica)
            try await replica.record(.move(parent: .root, name: nil), on: thing)
        }
        _ = try await replica.push()
        return replica
    }

    private func kindsAndStates(_ replica: TestReplica) async throws -> [String] {
        try await replica.store.operations().map { "\($0.kind) \($0.state)" }
    }

    @Test(arguments: [false, true])
    func aFolderIsNotDeletedWhileWhatWasMovedOutOfItIsInItStill(_ isNested: Bool) async throws {
        let replica = try await deletionAfterAMoveThatMeetsSomething(nested: isNested)
        #expect(try await kindsAndStates(replica) == ["move conflict", "trash queued"])
        let old = isNested ? "/d/inner/old " : "/d/old "
        #expect(replica.fetched().contains { $0.hasPrefix(old) })
        let move = try #require(try await replica.store.operations().first)
        // Its person decides that it stays where it was: that is no reason to throw it away.
        #expect(try await replica.recorder.discard(move.id).map(\.kind) == ["move", "trash"])
        try await comesToRest(replica)
        #expect(replica.fetched().contains { $0.hasPrefix(old) })
    }

    @Test func aFolderIsDeletedOnceWhatWasMovedOutOfItHasAnotherName() async throws {
        let here = try TestEngine(PaperDrive())
        try await here.engine.setConflictPolicy(.ask, of: .root)
        let folder = try await here.makeFolder("d")
        let file = try await here.put("old", [1], in: folder)
        try await here.sync()
        let there = try TestEngine(here.drive, device: "phone")
        try await there.put("old", [2])
        try await there.sync()
        try await here.engine.record(.move(parent: .root, name: nil), on: file)
        let id = try #require(try await here.engine.file(folder)?.serverId)
        try await here.engine.record(.trash(seen: try await here.engine.seen(id, asOf: nil)), on: folder)
        _ = try await here.engine.push()
        let waiting = try #require(try await here.engine.conflicts().first)
        try await here.engine.resolve(waiting.id, .both(name: "mine"))
        #expect(
            try await here.engine.operations().map(\.kind) == ["move", "trash"], "what was done first is done first")
        try await here.sync()
        #expect(try await here.engine.operations().isEmpty)
        #expect(try await here.names() == ["mine", "old"])
    }

    @Test func whatWasDeletedWithItsFolderBeforeItsMoveWasDecidedIsDeleted() async throws {
        let replica = try await deletion { replica, _ in
            let thing = try #require(try await replica.luid("/d/old"))
            try await put("old", by: "phone", into: .root, of: replica)
            try await replica.record(.move(parent: .root, name: nil), on: thing)
            _ = try await replica.push()
            // It is shown in its folder again, and deleted with that.
            #expect(try await replica.shown().contains { $0.hasPrefix("/d/old ") })
        }
        _ = try await replica.push()
        let move = try #require(try await replica.store.operations().first)
        #expect(try await replica.recorder.discard(move.id).map(\.kind) == ["move"])
        try await comesToRest(replica)
        #expect(replica.fetched().count == 1)
    }
}
