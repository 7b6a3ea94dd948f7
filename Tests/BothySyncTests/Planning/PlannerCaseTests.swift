import BothyClient
import BothyContract
import BothySync
import Testing

/// Single cases, each of which somebody has lost a file over.
@Suite struct PlannerCaseTests {
    private func agreed(_ deeds: Deed...) throws -> PlannedWorld {
        try PlannedCase(before: deeds, after: []).world()
    }

    // MARK: - The executable bit

    @Test func oneSideEditsAndTheOtherMakesItExecutable_bothAreKept() throws {
        for (editor, other) in [(Deed.Side.here, Deed.Side.there), (.there, .here)] {
            var world = try PlannedCase(
                before: [.write(.here, "a", 1)], after: [.write(editor, "a", 2), .makeExecutable(other, "a")]
            ).world()
            try world.settle()
            #expect(world.here == ["a=2"] && world.there == world.here)
            #expect(world.local.facts(at: "a")?.executable == true)
            #expect(world.remote.tree.node(at: "a").map { world.remote[$0].executable } == true)
        }
    }

    /// Turned on after the scan, it went along with the content; what its person does next is no answer to it.
    @Test func theBitThatWasTurnedWhileAFileWasSentIsNobodyElsesDoing() throws {
        var world = try agreed(.write(.here, "a", 1))
        world.write("a", 2)
        let upload = try #require(world.plan().actions.first)
        world.change("a") { $0.executable = true }
        try world.execute(upload)
        world.saveByRename("a", 3)
        #expect(try world.settle().outlines == ["upload a"])
        #expect(world.local.facts(at: "a")?.executable == false)
        #expect(world.remote.tree.node(at: "a").map { world.remote[$0].executable } == false)
    }

    // MARK: - Moves

    @Test func aMovedFolderMovesNoBytes() throws {
        var world = try agreed(.makeFolder(.here, "a"), .write(.here, "a/x", 1), .write(.here, "a/y", 2))
        world.move("a", to: "b")
        #expect(try world.settle().outlines == ["moveRemote b"])
        world.moveThere("b", to: "c")
        #expect(try world.settle().outlines == ["moveLocal c"])
        #expect(world.here == ["c/", "c/x=1", "c/y=2"])
    }

    /// Of a file it was said that the disk keeps it in another place.
    @Test func whatBothSidesMovedToTheSamePlaceIsSaidToBeMoved() throws {
        var world = try agreed(.makeFolder(.here, "d"), .write(.here, "a", 1))
        for (place, new) in [("d", "e"), ("a", "e/b")] as [(Place, Place)] {
            world.move(place, to: new)
            world.moveThere(place, to: new)
        }
        #expect(try world.settle().reasons == [.movedAlike, .movedAlike])
        #expect(world.here == ["e/", "e/b=1"] && world.there == world.here && world.plan().actions.isEmpty)
    }

    @Test func twoFoldersMovedIntoEachOther_theServersPlaceCounts() throws {
        var world = try agreed(.makeFolder(.here, "a"), .makeFolder(.here, "b"), .write(.here, "a/x", 1))
        world.move("a", to: "b/a")
        world.moveThere("b", to: "a/b")
        #expect(try world.settle().reasons.contains(.moveCycle))
        #expect(world.here == ["a/", "a/b/", "a/x=1"] && world.there == world.here)
    }

    @Test func aFolderMovedIntoOneThatTheOtherSideDeleted_isKept() throws {
        var world = try agreed(
            .makeFolder(.here, "a"), .write(.here, "a/x", 1), .makeFolder(.here, "d"), .write(.here, "d/y", 2))
        world.moveThere("a", to: "d/a")
        world.delete("d")
        try world.settle()
        #expect(world.here == ["d/", "d/a/", "d/a/x=1"] && world.there == world.here)
    }

    @Test func twoFilesThatChangedNames() throws {
        var world = try agreed(.write(.here, "a", 1), .write(.here, "b", 2))
        world.moveThere("a", to: "t")
        world.moveThere("b", to: "a")
        world.moveThere("t", to: "b")
        let done = try world.settle()
        #expect(done.reasons.contains(.nameMakesWay) && !done.contains { $0.movesBytes })
        #expect(world.here == ["a=2", "b=1"])
    }

    @Test func bothSidesMovedIt_theServersPlaceCounts() throws {
        var world = try agreed(.write(.here, "a", 1))
        world.move("a", to: "mine")
        world.moveThere("a", to: "theirs")
        #expect(try world.settle().reasons == [.movedOnBothSides])
        #expect(world.here == ["theirs=1"])
    }

    @Test func oneSideRenamedAndTheOtherMoved_bothAreApplied() throws {
        var world = try agreed(.write(.here, "a", 1), .makeFolder(.here, "d"))
        world.move("a", to: "d/a")
        world.moveThere("a", to: "b")
        try world.settle()
        #expect(world.here == ["d/", "d/b=1"] && world.there == world.here)
    }

    // MARK: - Identity

    @Test func savingByRename_keepsHistoryAndIdentity() throws {
        var world = try agreed(.write(.here, "a", 1))
        let id = world.id("a")
        // vim: the old one becomes a backup, a new one takes its name.
        world.move("a", to: "a~")
        world.write("a", 2)
        try world.settle()
        #expect(world.id("a") == id && world.there == ["a=2", "a~=1"])
    }

    @Test func aHardLinkIsNoMove() throws {
        var world = try agreed(.write(.here, "a", 1))
        world.local.put(try #require(world.local.facts(at: "a")), at: "b")
        #expect(try world.settle().outlines == ["upload b"])
    }

    @Test func aFileReplacedByAFolderOfItsName_andBack() throws {
        var world = try agreed(.write(.here, "a", 1))
        world.delete("a")
        world.makeFolder("a")
        world.write("a/x", 2)
        try world.settle()
        #expect(world.there == ["a/", "a/x=2"])
        world.deleteThere("a")
        world.writeThere("a", 3)
        try world.settle()
        #expect(world.here == ["a=3"] && world.there == world.here)
    }

    @Test func twoCreationsOfTheSameNameAndContentAreOneFile() throws {
        var world = try agreed()
        world.write("a", 1)
        world.writeThere("a", 1)
        #expect(try !world.settle().contains { $0.movesBytes })
        #expect(world.there == ["a=1"])
    }

    // MARK: - Deletions

    @Test func anEditBelowADeletedFolderKeepsItAndNothingElse() throws {
        var world = try agreed(.makeFolder(.here, "d"), .write(.here, "d/x", 1), .write(.here, "d/y", 2))
        world.delete("d")
        world.writeThere("d/x", 3)
        try world.settle()
        #expect(world.here == ["d/", "d/x=3"] && world.there == world.here)
    }

    @Test func whatWasDeletedOnOneSideGoesToTheTrashOfTheOther() throws {
        var world = try agreed(.makeFolder(.here, "d"), .write(.here, "d/x", 1))
        world.deleteThere("d")
        #expect(try world.settle().outlines == ["trashLocal d"])
        #expect(world.trash == [PlannedWorld.hash(1)])
    }

    /// A device that was away for a year links again.
    @Test func aYearAway_nothingComesBackAndNothingIsLost() throws {
        var world = try agreed(.write(.here, "old", 1), .write(.here, "edited", 2))
        let ids = (world.id("old")!, world.id("edited")!)
        world.deleteThere("old")
        world.deleteThere("edited")
        world.write("edited", 3)
        world.synced = SyncedTree(rootId: "root")
        world.policy.isLinking = true
        world.memory.remember(ids.0, at: "old", kind: .file, checksum: PlannedWorld.hash(1))
        world.memory.remember(ids.1, at: "edited", kind: .file, checksum: PlannedWorld.hash(2))
        try world.settle()
        #expect(world.there == ["edited=3"] && world.here == ["old=1", "edited=3"])
        #expect(world.plan().standing["old"] == .unsynced(.rememberedAsDeleted))
    }

    /// A replica that is rebuilt, a cursor that was lost: what is absent on either side is brought back, not deleted.
    @Test func linkingAnew_absenceIsNoDeletionOnEitherSide() throws {
        var world = try agreed(.write(.here, "a", 1), .write(.here, "b", 2))
        world.delete("a")
        world.deleteThere("b")
        world.policy.isLinking = true
        #expect(try world.settle().reasons == [.absentWhileLinking, .absentWhileLinking])
        #expect(world.here == ["a=1", "b=2"] && world.there == world.here)
    }

    /// A server restored from an old backup: nothing is deleted anywhere, and what the backup lacks comes back from here.
    @Test func aServerThatWentBack() throws {
        var world = try agreed(.write(.here, "a", 1))
        let backup = world.remote
        world.write("a", 2)
        world.write("b", 3)
        try world.settle()
        world.remote = backup
        world.policy.isLinking = true
        #expect(Set(try world.settle().reasons) == [.serverWentBack, .absentWhileLinking])
        #expect(world.there == ["a=2", "b=3"] && world.here == world.there)
    }

    /// The backup lacks a file, and somebody has written another in its place since: neither is a version of the other.
    @Test func aServerThatWentBack_andAnotherFileInThePlaceOfOneThatItLacks() throws {
        var world = try agreed(.write(.here, "a", 1))
        world.deleteThere("a")
        world.writeThere("a", 2)
        world.policy.isLinking = true
        try world.settle()
        #expect(world.there == ["a=2", "a (1)=1"] && world.here == world.there)
    }

    /// The server remembers that it was deleted: then the other is what came of it.
    @Test func linkingAnew_whatWasDeletedAndMadeAnewOnTheServerIsFetched() throws {
        var world = try agreed(.write(.here, "a", 1))
        world.memory.remember(trashed: world.id("a")!)
        world.deleteThere("a")
        world.writeThere("a", 2)
        world.policy.isLinking = true
        try world.settle()
        #expect(world.there == ["a=2"] && world.here == world.there)
    }

    @Test func anUnsyncedFileThatIsEditedIsSentAgain() throws {
        var world = try agreed(.write(.here, "a", 1))
        world.policy.deletions = .documents
        world.deleteThere("a")
        try world.settle()
        world.write("a", 2)
        #expect(try world.settle().reasons == [.editHereBeatsDeletion, .editedHere])
        #expect(world.there == ["a=2"])
    }

    // MARK: - What cannot be known or touched

    @Test func nothingInAFolderThatMayNotBeReadCountsAsGone() throws {
        var world = try agreed(.makeFolder(.here, "d"), .write(.here, "d/x", 1))
        world.local.remove("d/x")
        world.change("d") { $0.condition = .unreadable }
        #expect(try world.settle().isEmpty)
        #expect(world.plan().standing["d"] == .held(.unreadable))
    }

    @Test func aFileThatIsBeingWrittenWaits() throws {
        var world = try agreed(.write(.here, "a", 1))
        world.write("a", 2)
        world.change("a") { $0.condition = .beingWritten }
        #expect(try world.settle().isEmpty)
        #expect(world.plan().standing["a"] == .held(.beingWritten))
    }

    @Test func aLinkInPlaceOfAFileIsNoDeletion() throws {
        var world = try agreed(.write(.here, "a", 1))
        world.delete("a")
        world.local.specials["a"] = .symbolicLink
        #expect(try world.settle().isEmpty)
        #expect(world.plan().standing["a"] == .held(.placeTaken))
    }

    @Test func nothingIsDownloadedThroughALink() throws {
        var world = try agreed()
        world.local.specials["docs"] = .symbolicLink
        world.makeFolderThere("docs")
        world.writeThere("docs/x", 1)
        #expect(try world.settle().isEmpty)
        #expect(world.plan().standing["docs"] == .held(.placeTaken))
    }

    @Test func aFolderThatHoldsWhatIsNotSyncedStaysWhenItIsDeletedElsewhere() throws {
        var world = try agreed(.makeFolder(.here, "d"), .write(.here, "d/x", 1))
        world.rules.setFile("*.o", in: .root)
        world.write("d/a.o", 7)
        world.deleteThere("d")
        try world.settle()
        #expect(world.here == ["d/", "d/a.o=7"] && world.there.isEmpty)
        #expect(world.plan().standing["d"] == .unsynced(.holdsWhatIsNotSynced))
    }

    @Test func aRuleThatIsAddedDeletesNothing() throws {
        var world = try agreed(.makeFolder(.here, "build"), .write(.here, "build/x", 1))
        world.rules.setFile("build/", in: .root)
        let done = try world.settle()
        #expect(done.outlines == ["leaveOut build"] && done.reasons == [.leftOutNow])
        #expect(world.here == ["build/", "build/x=1"] && world.there == world.here)
    }

    @Test func aRuleThatIsAddedWhileTheFileIsDeletedOnOneSide_leavesTheOtherAlone() throws {
        var world = try agreed(.write(.here, "a.o", 1), .write(.here, "b.o", 2))
        world.delete("a.o")
        world.deleteThere("b.o")
        world.rules.exclude(["*.o"])
        try world.settle()
        #expect(world.here == ["b.o=2"] && world.there == ["a.o=1"])
        #expect(world.plan().standing["a.o"] == .ignored(rule: "*.o", source: "--exclude"))
    }

    // MARK: - Conflicts

    @Test func whatIsSetForTheNearestFolderHoldsForAConflict() throws {
        var world = try agreed(.makeFolder(.here, "d"), .write(.here, "d/a", 1), .write(.here, "b", 1))
        world.policy.conflicts = .ask
        world.policy.conflictsBelow = [try #require(world.id("d")): .lastWriteWins]
        for place in ["d/a", "b"] as [Place] {
            world.write(place, 2)
            world.writeThere(place, 3)
        }
        try world.settle()
        #expect(world.here == ["d/", "d/a=2", "b=2"] && world.there == ["d/", "d/a=2", "b=3"])
        #expect(world.plan().standing.keys.map(\.text) == ["b"])
    }

    @Test func aPersonsMergeThatCannotBe_isAskedAboutAgain() throws {
        var world = try agreed(.write(.here, "a", 1))
        world.policy.conflicts = .ask
        world.mergeFails = true
        world.write("a", 2)
        world.writeThere("a", 3)
        let (mine, theirs) = (PlannedWorld.hash(2), PlannedWorld.hash(3))
        world.policy.choices["a"] = .keep(.merge, mine: mine, theirs: theirs)
        try world.settle()
        #expect(world.here == ["a=2"] && world.there == ["a=3"] && world.plan().conflicts.map(\.place) == ["a"])
    }

    // MARK: - Names

    @Test func namesThatThisDiskTakesForOneAreBothKept() throws {
        var world = try agreed()
        world.policy.disk = DiskTraits(tellsCaseApart: false)
        world.writeThere("README", 1)
        world.writeThere("readme", 2)
        try world.settle()
        #expect(world.there == ["README=1", "readme=2"] && world.here.count == 2)
        #expect(try world.settle().isEmpty)
    }

    /// A disk that takes both for one finds the new name taken. Nothing came of it, and all else waited behind it.
    @Test(arguments: [true, false]) func aNewSpellingArrivesByWayOfAnotherName(_ isFolder: Bool) throws {
        var world = try agreed(isFolder ? .makeFolder(.here, "docs") : .write(.here, "docs", 1))
        world.policy.disk = DiskTraits(spelling: .insensitive, tellsCaseApart: false)
        world.moveThere("docs", to: "Docs")
        var (steps, whole) = (world, world)
        for action in whole.plan().actions { try whole.execute(action) }
        #expect(try steps.settle().count == 2)
        #expect(steps.here == (isFolder ? ["Docs/"] : ["Docs=1"]) && whole.here == steps.here)
        #expect(whole.plan().actions.isEmpty)
    }

    /// A file of the same content on both sides, whose time alone differs, and a folder that wants its name here.
    @Test func whoHasANameOnADiskThatFoldsNamesKeepsItWhileItsTimeIsBroughtOver() throws {
        var world = try agreed(.makeFolder(.here, "A"))
        world.policy.disk = DiskTraits(tellsCaseApart: false)
        world.policy.isLinking = true
        world.writeThere("a", 1)
        world.delete("A")
        world.write("a", 1)
        #expect(try world.settle().count == 3)
        #expect(world.here == ["a=1", "A (1)/"] && world.there == ["a=1", "A/"])
    }

    /// The folder had a number in its name here for as long as the file kept it from its own.
    @Test func anEditOfWhatStayedHereMakesRoomForTheFolderThatHasItsNameOnTheServer() throws {
        var world = try agreed(.write(.here, "c", 5))
        world.policy.deletions = .documents
        world.deleteThere("c")
        world.makeFolderThere("c")
        try world.settle()
        #expect(world.here == ["c=5", "c (1)/"] && world.there == ["c/"])
        world.write("c", 2)
        #expect(try world.settle().count == 5)
        #expect(world.here == ["c (1)=2", "c/"] && world.there == world.here)
    }

    @Test func aNameThatTheDiskCannotHoldIsMapped_andAnEditGoesToTheRightFile() throws {
        var world = try agreed()
        world.policy.disk = DiskTraits(followsWindowsRules: true)
        world.writeThere("a:b.", 1)
        try world.settle()
        #expect(world.here == ["a%3Ab%2E=1"])
        world.write("a%3Ab%2E", 2)
        try world.settle()
        #expect(world.there == ["a:b.=2"])
    }

    /// It was deleted on the server and another made in its place, which has not come yet: who moves what is here moves no version
    /// of that.
    @Test func whatIsMovedBeforeAnotherHasComeInItsPlace_isNotThatOne() throws {
        var world = try PlannedCase(before: [.write(.here, "a", 1)], after: []).world()
        world.deleteThere("a")
        world.writeThere("a", 2)
        let rebind = try #require(world.plan().actions.first)
        #expect(rebind.reason == .recreatedThere)
        try world.execute(rebind)
        world.move("a", to: "b")
        try world.settle()
        #expect(world.here == ["a=2", "b=1"] && world.there == world.here)
    }
}
