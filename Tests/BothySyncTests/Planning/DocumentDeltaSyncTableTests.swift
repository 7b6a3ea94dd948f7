import BothyContract
import BothySync
import Testing

/// The tables of «The Hard Parts of Building Document Delta Sync on Mobile», row by row.
@Suite struct DocumentDeltaSyncTableTests {
    // MARK: - «Handling deletion in the cloud»

    @Test func userDeletesLocally_remoteFileDeletedImmediately() throws {
        for policy in DeletionPolicy.allCases {
            var world = try agreed()
            world.policy.deletions = policy
            world.delete("a.pdf")
            #expect(try world.settle().outlines == ["trashRemote a.pdf"])
            #expect(world.there.isEmpty && world.here.isEmpty)
        }
    }

    @Test func remoteFileDeleted_localFileMarkedUnsyncedNotDeleted() throws {
        var world = try agreed()
        world.policy.deletions = .documents
        world.deleteThere("a.pdf")
        #expect(try world.settle().outlines == ["markUnsynced a.pdf"])
        #expect(world.here == ["a.pdf=1"])
        #expect(world.plan().standing["a.pdf"] == .unsynced(.deletedElsewhere))
    }

    @Test func userConfirms_localFilePermanentlyDeleted() throws {
        var world = try agreed()
        world.policy.deletions = .documents
        world.deleteThere("a.pdf")
        try world.settle()
        world.policy.choices["a.pdf"] = .confirmDeletion
        let done = try world.settle()
        #expect(done.outlines == ["trashLocal a.pdf"] && done.reasons == [.deletionConfirmed])
        #expect(world.here.isEmpty)
    }

    /// «User opens Google Drive on the web and deletes the Keeplys folder.»
    @Test func theFolderIsDeletedOnTheWeb_everythingInItStaysHere() throws {
        var world = PlannedWorld()
        world.makeFolder("Keeplys")
        for index in 1...9 { world.write(Place(text: "Keeplys/\(index).pdf"), index) }
        try world.settle()
        world.policy.deletions = .documents
        let before = world.here
        world.deleteThere("Keeplys")
        try world.settle()
        #expect(world.here == before)
        #expect(world.plan().standing.count == 10)
    }

    // MARK: - «Handling the merge problem»

    @Test func fileExists_sameHash_linkNoTransfer() throws {
        var world = linking()
        world.write("a.pdf", 1)
        world.writeThere("a.pdf", 1)
        let done = try world.settle()
        #expect(done.reasons.first == .sameOnBothSides && done.outlines.first == "record a.pdf")
        #expect(!done.contains { $0.movesBytes })
    }

    @Test func fileExists_differentHash_conflict() throws {
        var world = linking()
        world.policy.conflicts = .ask
        world.write("a.pdf", 1)
        world.writeThere("a.pdf", 2)
        #expect(try world.settle().isEmpty)
        guard case .conflict = world.plan().standing["a.pdf"] else {
            Issue.record("no conflict")
            return
        }
    }

    @Test func fileExists_missing_upload() throws {
        var world = linking()
        world.write("a.pdf", 1)
        #expect(try world.settle().outlines == ["upload a.pdf"])
    }

    @Test func missing_fileExists_download() throws {
        var world = linking()
        world.writeThere("a.pdf", 1)
        #expect(try world.settle().outlines == ["download a.pdf"])
    }

    /// «Reinstalling the app on a new phone without re-uploading gigabytes of documents.»
    @Test func reinstallingMovesNoBytes() throws {
        var world = PlannedWorld()
        world.makeFolder("docs")
        for index in 1...20 { world.write(Place(text: "docs/\(index).pdf"), index) }
        try world.settle()
        world.synced = SyncedTree(rootId: "root")
        world.policy.isLinking = true
        let done = try world.settle()
        #expect(done.count == 21 && !done.contains { $0.movesBytes })
    }

    // MARK: - «The sync engine»

    @Test func documentSaved_createOrUpdate() throws {
        var world = try agreed()
        world.write("a.pdf", 2)
        world.write("b.pdf", 3)
        #expect(try world.settle().reasons == [.editedHere, .createdHere])
        #expect(world.there == ["a.pdf=2", "b.pdf=3"])
    }

    private func agreed() throws -> PlannedWorld {
        var world = PlannedWorld()
        world.write("a.pdf", 1)
        try world.settle()
        return world
    }

    private func linking() -> PlannedWorld {
        var world = PlannedWorld()
        world.policy.isLinking = true
        return world
    }
}

extension Action {
    var movesBytes: Bool {
        switch step {
        case .upload, .download, .merge: true
        default: false
        }
    }
}
