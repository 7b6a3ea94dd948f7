import BothyClient
import BothyContract
import BothySync
import Testing

/// Taking back, case by case.
@Suite struct UndoingTests {
    private func agreed(_ deeds: Deed...) throws -> PlannedWorld {
        try PlannedCase(before: deeds, after: []).world()
    }

    @discardableResult
    private func pass(_ world: inout PlannedWorld) throws -> [TakenStep] {
        var taken: [TakenStep] = []
        while let action = world.plan().actions.first, taken.count < PlannerLaws.mostSteps {
            taken.append(try world.take(action))
        }
        return taken
    }

    private func bothEdited(_ conflicts: ConflictResolution) throws -> PlannedWorld {
        var world = try agreed(.write(.here, "a.txt", 1))
        world.policy.conflicts = conflicts
        world.write("a.txt", 2)
        world.writeThere("a.txt", 3)
        return world
    }

    /// What both sides have, and what waits for a person.
    private func expectOpen(_ world: inout PlannedWorld) throws {
        for _ in 0..<2 {
            #expect(world.here == ["a.txt=2"] && world.there == ["a.txt=3"])
            #expect(world.plan().status(of: "a.txt", in: world.whereabouts).cause == .conflict)
            #expect(try pass(&world).isEmpty)
        }
    }

    @Test func takingBackAConflictsCopy_bringsBackBothVersions_andAsks() throws {
        var world = try bothEdited(.fork)
        let taken = try pass(&world)
        #expect(world.here == ["a.txt=3", "a (anna's conflict 2026-11-20).txt=2"])
        let acts = world.undo(taken).reversed.compactMap { $0.reversal?.act }
        #expect(
            acts.count == 3
                && Set(acts) == [
                    FolderAct(.tookBack(.broughtBackOverKept), at: "a.txt"),
                    FolderAct(.trashedHere(count: 1), at: "a.txt"),
                    FolderAct(.tookBack(.trashedCopy), at: "a (anna's conflict 2026-11-20).txt"),
                ])
        try expectOpen(&world)
        #expect(world.history.contains(PlannedWorld.hash(3)) && world.trash.contains(PlannedWorld.hash(3)))
    }

    /// The last write had been mine: theirs came back on the server, and then here in the place of mine.
    @Test(arguments: ConflictResolution.allCases.filter { $0 != .ask })
    func whatAPolicyDecidedIsOpenAgainUntilAPersonDecides(policy: ConflictResolution) throws {
        var world = try bothEdited(policy)
        _ = world.undo(try pass(&world))
        try expectOpen(&world)
        // It stays so wherever it goes, and until both have one content.
        world.move("a.txt", to: "b.txt")
        #expect(try pass(&world).count == 1)
        #expect(world.here == ["b.txt=2"] && world.there == ["b.txt=3"])
        let (mine, theirs) = (PlannedWorld.hash(2), PlannedWorld.hash(3))
        world.policy.choices = ["b.txt": .keep(.mine, mine: mine, theirs: theirs)]
        try pass(&world)
        #expect(world.here == ["b.txt=2"] && world.there == world.here)
        // The next one is the policy's again.
        world.write("b.txt", 4)
        world.writeThere("b.txt", 5)
        try pass(&world)
        #expect(world.plan().standing.isEmpty && world.there == world.here)
    }

    /// Its own name was free for a moment of the pass alone: it was left as «.bothy-moving-…», for good.
    @Test func whatMadeWayGetsANumberWhereSomebodyHasTakenItsNameSince() throws {
        for taken: Place in ["a", "b"] {
            var world = try agreed(.makeFolder(.here, "a"), .makeFolder(.here, "b"))
            world.perform(.exchange(.here, "a", "b"))
            let steps = try pass(&world)
            world.perform(.move(.there, taken, "c"))
            world.perform(.makeFolder(.there, taken))
            #expect(!world.undo(steps).refused.isEmpty)
            try pass(&world)
            #expect(world.here == (taken == "a" ? ["a/", "b/", "c/"] : ["b (1)/", "b/", "c/"]))
            #expect(world.there == world.here)
        }
        let name = GivenNames.temporary(for: "f1", attempt: 0)
        let move = Reversal.moveHere(from: Place([name]), to: "a/b.txt", wasSetAside: false)
        #expect(move.numbered(0) == .moveHere(from: Place([name]), to: "a/b (1).txt", wasSetAside: false))
        #expect(Reversal.moveHere(from: "a", to: Place([name]), wasSetAside: false).numbered(0) == nil)
        #expect(Reversal.moveHere(from: "a", to: "b", wasSetAside: false).numbered(0) == nil)
    }

    /// Once it was taken back a third time, nobody was asked any more.
    @Test func whatIsTakenBackThriceAsksAsItDidAtFirst() throws {
        var world = try bothEdited(.lastWriteWins)
        let undone = world.undo(try pass(&world))
        let redone = world.undo(undone.reversed)
        #expect(world.here == ["a.txt=2"] && world.there == world.here)
        try pass(&world)
        #expect(world.undo(redone.reversed).refused.isEmpty)
        try expectOpen(&world)
    }

    @Test func aConflictsCopyThatWasEditedSinceStaysWithAllOfIts() throws {
        var world = try bothEdited(.fork)
        let taken = try pass(&world)
        world.write("a (anna's conflict 2026-11-20).txt", 4)
        try world.settle()
        let undone = world.undo(taken)
        #expect(undone.reversed.isEmpty && undone.refused.count == 3)
        #expect(world.here == ["a.txt=3", "a (anna's conflict 2026-11-20).txt=4"])
    }

    @Test func whatWasSentStaysHereAndSaysWhy() throws {
        var world = try agreed()
        world.makeFolder("d")
        world.write("d/a", 1)
        let taken = try pass(&world)
        _ = world.undo(taken)
        try world.settle()
        #expect(world.there.isEmpty && world.here == ["d/", "d/a=1"])
        let status = world.plan().status(of: "d/a", in: world.whereabouts)
        #expect(status.cause == .unsynced(.takenBack))
        world.write("d/a", 2)
        try world.settle()
        #expect(world.there == ["d/", "d/a=2"], "an edit is sent again")
    }

    @Test func aSwapOfNamesIsTakenBackThroughTheSameNames() throws {
        var world = try agreed(.write(.here, "a", 1), .write(.here, "b", 2))
        world.move("a", to: "t")
        world.move("b", to: "a")
        world.move("t", to: "b")
        let taken = try pass(&world)
        #expect(world.undo(taken).refused.isEmpty && world.there == ["a=1", "b=2"])
        try world.settle()
        #expect(world.here == ["a=1", "b=2"])
    }

    @Test func anEditMadeSinceIsNotReplaced() throws {
        var world = try agreed(.write(.here, "a", 1))
        world.write("a", 2)
        let taken = try pass(&world)
        world.writeThere("a", 3)
        #expect(world.undo(taken).refused.count == 1)
        #expect(world.there == ["a=3"])
    }

    @Test func takingBackIsTakenBack() throws {
        var world = try agreed(.write(.here, "a", 1), .write(.here, "b", 2))
        world.deleteThere("a")
        world.writeThere("b", 3)
        world.writeThere("c", 4)
        let undone = world.undo(try pass(&world))
        #expect(world.here == ["a=1", "b=2"])
        #expect(world.undo(undone.reversed).refused.isEmpty)
        #expect(world.here == ["b=3", "c=4"])
    }

    /// Its conflict was decided anew since: taking back that it was taken back would bring the copy beside the decision.
    @Test func whatWasDecidedAnewSinceStands() throws {
        var world = try bothEdited(.fork)
        let id = try #require(world.id("a.txt"))
        let undone = world.undo(try pass(&world))
        world.policy.choices = ["a.txt": .keep(.mine, mine: PlannedWorld.hash(2), theirs: PlannedWorld.hash(3))]
        try pass(&world)
        #expect(world.here == ["a.txt=2"] && world.there == world.here)
        let again = world.undo(undone.reversed, decidedSince: [id])
        #expect(again.reversed.isEmpty && again.refused.count == undone.reversed.count)
        #expect(world.here == ["a.txt=2"] && world.there == world.here)
    }

    /// Somebody has put a file into a folder that the pass had made on the server.
    @Test func aFolderThatOthersPutSomethingIntoStays() throws {
        var world = try agreed()
        world.makeFolder("d")
        let taken = try pass(&world)
        world.writeThere("d/theirs", 1)
        #expect(world.undo(taken).refused.count == 1 && world.there == ["d/", "d/theirs=1"])
    }

    @Test func aFolderOfFilesThatIsTakenBackTwice() throws {
        var world = try agreed(.makeFolder(.here, "c"), .write(.here, "c/b", 4))
        world.delete("c")
        world.write("c", 5)
        let undone = world.undo(try pass(&world))
        #expect(undone.refused.isEmpty && world.there == ["c/", "c/b=4"])
        #expect(world.undo(undone.reversed).refused.isEmpty && world.there == ["c=5"])
    }

    /// Another device renamed it and then deleted it: what comes back here is sent anew, and does not come back twice.
    @Test func whatWasRenamedBeforeItWasDeletedComesBackOnce() throws {
        var world = try agreed(.write(.here, "b", 2))
        world.moveThere("b", to: "a")
        world.deleteThere("a")
        let taken = try pass(&world)
        _ = world.undo(taken)
        try world.settle()
        #expect(world.here == ["b=2"] && world.there == world.here)
    }

    /// The folder that it goes into comes back first.
    @Test func aDeletionInAFolderThatWentIntoANewOneIsTakenBackTwice() throws {
        var world = try agreed(.makeFolder(.here, "c"), .write(.here, "c/c", 6))
        world.deleteThere("c/c")
        world.makeFolderThere("a")
        world.moveThere("c", to: "a/a")
        let undone = world.undo(try pass(&world))
        #expect(undone.refused.isEmpty && world.here == ["c/", "c/c=6"])
        #expect(world.undo(undone.reversed).refused.isEmpty && world.here == ["a/", "a/a/"])
    }

    /// Of what comes out of the trash nobody can say before whether it is as the pass left it.
    @Test func whatWasSentAnewAfterItWasDeletedElsewhereIsTakenBackTwice() throws {
        var world = try agreed()
        world.writeThere("a", 4)
        world.changeThere("a") { $0.executable = true }
        world.policy.isLinking = true
        var taken = try pass(&world)
        world.deleteThere("a")
        taken += try pass(&world)
        #expect(world.there == ["a=4"])
        let undone = world.undo(taken)
        #expect(undone.refused.isEmpty && world.here == [] && world.there == [])
        #expect(world.undo(undone.reversed).refused.isEmpty && world.here == ["a=4"] && world.there == ["a=4"])
    }

    /// Its person here had the version before: that is no edit, and nothing to be in conflict with.
    @Test func aFolderThatOthersDeletedComesBackWithTheirEdits_andNoConflict() throws {
        var world = try agreed(.makeFolder(.here, "d"), .write(.here, "d/a", 1), .write(.here, "d/b", 5))
        world.writeThere("d/a", 2)
        world.moveThere("d/b", to: "d/c")
        world.deleteThere("d")
        let taken = try pass(&world)
        #expect(world.here == [])
        #expect(world.undo(taken).refused.isEmpty && world.here == ["d/", "d/a=1", "d/b=5"])
        #expect(try pass(&world).count == 2)
        #expect(world.here == ["d/", "d/a=2", "d/c=5"] && world.there == world.here)
    }

    /// What was deleted by itself before is not there when its folder comes back.
    @Test func whatWasDeletedBeforeItsFolderIsSentAnewWhenThatComesBack() throws {
        var world = try agreed(.makeFolder(.here, "d"), .write(.here, "d/a", 1), .write(.here, "d/b", 5))
        world.deleteThere("d/a")
        world.deleteThere("d")
        let taken = try pass(&world)
        _ = world.undo(taken)
        try world.settle()
        #expect(world.here == ["d/", "d/a=1", "d/b=5"] && world.there == world.here)
    }

    /// A file of its name that is new here stands where the folder was: then it does not come back on the server alone.
    @Test func whatHasNoPlaceHereAnyMoreStaysInBothTrashes() throws {
        var world = try agreed(.makeFolder(.here, "a"))
        world.makeFolderThere("a/c")
        var taken = try pass(&world)
        world.deleteThere("a")
        taken += try pass(&world)
        world.write("a", 5)
        taken += try pass(&world)
        let undone = world.undo(taken)
        #expect(!undone.refused.isEmpty && world.here == ["a=5"] && world.there == [])
        #expect(world.undo(undone.reversed).refused.isEmpty && world.here == ["a=5"] && world.there == ["a=5"])
    }

    /// It came beside what somebody had made anew, as «a (1)».
    @Test func aFileThatIsThereAgainWithTheSameContentIsLeftAsItIs() throws {
        var world = try agreed(.write(.here, "a", 1))
        world.delete("a")
        let taken = try pass(&world)
        world.writeThere("a", 1)
        let undone = world.undo(taken)
        #expect(undone.reversed.isEmpty && undone.refused.count == 1 && world.there == ["a=1"])
    }

    /// It came beside what another had edited in it, as «d (1)».
    @Test func whatWasDeletedOfAFolderThatIsThereAgainComesBackIntoThat() throws {
        var world = try agreed(.makeFolder(.here, "d"), .write(.here, "d/a", 1), .write(.here, "d/b", 2))
        world.delete("d")
        let taken = try pass(&world)
        world.makeFolderThere("d")
        world.writeThere("d/c", 3)
        world.writeThere("d/a", 1)
        let undone = world.undo(taken)
        #expect(undone.refused.isEmpty && world.there == ["d/", "d/a=1", "d/b=2", "d/c=3"])
        #expect(world.undo(undone.reversed).refused.isEmpty && world.there == ["d/", "d/a=1", "d/c=3"])
    }

    /// It counted as changed since, and nothing took it back any more.
    @Test func whatFailedIsTakenBackAtTheNextTry_withWhatWaitedForIt() throws {
        var world = try agreed()
        world.makeFolderThere("d")
        world.writeThere("d/a", 1)
        world.writeThere("b", 2)
        let taken = try pass(&world)
        var begun = Undoing.Begun()
        let first = world.undo(taken, begun: &begun, failing: 0)
        // Its folder waits for it, and nothing else does.
        #expect(first.refused.isEmpty && world.here == ["d/", "d/a=1"])
        #expect(begun.failed.count == 2)
        #expect(world.undo(taken, begun: &begun).refused.isEmpty && world.here == [] && begun.failed.isEmpty)
    }

    /// Whether or not a pass has forgotten meanwhile what was agreed on of it.
    @Test(arguments: [false, true])
    func aFolderThatOthersDeletedComesBackTheSecondTimeAsTheFirst(_ passesBetween: Bool) throws {
        var world = try agreed(.makeFolder(.here, "d"), .write(.here, "d/a", 1), .write(.here, "d/b", 5))
        world.writeThere("d/a", 2)
        world.deleteThere("d")
        let back = world.undo(try pass(&world))
        let gone = world.undo(back.reversed)
        #expect(gone.refused.isEmpty && world.here == [] && world.there == [])
        if passesBetween { _ = try pass(&world) }
        #expect(world.undo(gone.reversed).refused.isEmpty && world.here == ["d/", "d/a=1", "d/b=5"])
        try world.settle()
        #expect(world.here == ["d/", "d/a=2", "d/b=5"] && world.there == world.here, "the edit there is no conflict")
    }

    /// Taking back that it was sent is no deletion, the second time neither.
    @Test(arguments: [false, true])
    func whatWasSentStaysHereTheSecondTimeToo(_ passesBetween: Bool) throws {
        var world = try agreed()
        world.write("a", 1)
        let back = world.undo(try pass(&world))
        let sent = world.undo(back.reversed)
        #expect(world.there == ["a=1"])
        if passesBetween { _ = try pass(&world) }
        #expect(world.undo(sent.reversed).refused.isEmpty && world.there == [])
        try world.settle()
        #expect(world.here == ["a=1"] && world.there == [])
    }
}
