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
}
