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

    /// What was saved after a person had confirmed that the file is deleted is no version that anybody wanted gone.
    @Test func editedAfterUserConfirmed_theEditIsKept() throws {
        var world = try agreed()
        world.policy.deletions = .documents
        world.deleteThere("a.pdf")
        try world.settle()
        world.policy.choices["a.pdf"] = .confirmDeletion
        world.write("a.pdf", 2)
        let done = try world.settle()
        #expect(
            done.reasons.contains(.editHereBeatsDeletion) && world.here == ["a.pdf=2"] && world.there == ["a.pdf=2"])
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

    @Test func documentDeleted_deletedThere() throws {
        var world = try agreed()
        world.write("b.pdf", 3)
        try world.settle()
        world.delete("b.pdf")
        #expect(try world.settle().reasons == [.deletedHere])
        #expect(world.there == ["a.pdf=1"])
    }

    // MARK: - «Documents should have observable state»

    @Test func documentsHaveObservableState_syncedPendingConflictUnsynced() throws {
        var world = try agreed()
        for (index, name) in (["pending.pdf", "conflict.pdf", "unsynced.pdf"] as [Place]).enumerated() {
            world.write(name, index + 2)
        }
        try world.settle()
        world.policy.conflicts = .ask
        world.policy.deletions = .documents
        world.write("pending.pdf", 11)
        world.write("conflict.pdf", 12)
        world.writeThere("conflict.pdf", 13)
        world.deleteThere("unsynced.pdf")
        func state(_ place: Place) -> ItemStatus.State { world.plan().status(of: place, in: world.whereabouts).state }
        #expect(state("pending.pdf") == .pending)
        try world.settle()
        #expect(state("a.pdf") == .synced && state("pending.pdf") == .synced)
        #expect(state("conflict.pdf") == .conflict && state("unsynced.pdf") == .unsynced)
    }

    // MARK: - «User resolves: keep local, keep remote, or keep both»

    private func conflicting(_ side: Choice.Side) throws -> PlannedWorld {
        var world = try agreed()
        world.policy.conflicts = .ask
        world.write("a.pdf", 2)
        world.writeThere("a.pdf", 3)
        #expect(try world.settle().isEmpty)
        world.policy.choices["a.pdf"] = .keep(side, mine: PlannedWorld.hash(2), theirs: PlannedWorld.hash(3))
        try world.settle()
        return world
    }

    @Test func userResolves_keepLocal() throws {
        let world = try conflicting(.mine)
        #expect(world.here == ["a.pdf=2"] && world.there == world.here && world.history.contains(PlannedWorld.hash(3)))
    }

    @Test func userResolves_keepRemote() throws {
        let world = try conflicting(.theirs)
        #expect(world.here == ["a.pdf=3"] && world.there == world.here && world.trash.contains(PlannedWorld.hash(2)))
    }

    @Test func userResolves_keepBoth() throws {
        let world = try conflicting(.both)
        #expect(world.here == ["a.pdf=3", "a (anna's conflict 2026-11-20).pdf=2"] && world.there == world.here)
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
