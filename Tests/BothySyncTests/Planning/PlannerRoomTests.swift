import BothyContract
import BothySync
import Testing

/// Names that something else has: what is cut off between two moves, and what is never touched.
@Suite struct PlannerRoomTests {
    @Test func aNameForAMomentIsAnotherWhereOneWasLeftBehind() {
        let first = GivenNames.temporary(for: "f1", attempt: 0)
        let second = GivenNames.temporary(for: "f1") { $0 == first }
        #expect(first != second && GivenNames.isTemporary(second))
    }

    @Test func filesChangeNamesAlthoughAnEarlierChangeWasCutOff() throws {
        var world = try PlannedCase(before: [.write(.here, "a", 1), .write(.here, "b", 2)], after: []).world()
        for place in ["a", "b"] as [Place] {
            let id = try #require(world.id(place))
            world.write(Place([GivenNames.temporary(for: id, attempt: 0)]), 3)
        }
        world.moveThere("a", to: "t")
        world.moveThere("b", to: "a")
        world.moveThere("t", to: "b")
        try world.settle()
        let left = try (["a", "b"] as [Place]).map {
            "\(GivenNames.temporary(for: try #require(world.id($0)), attempt: 0))=3"
        }
        #expect(world.here == Set(["a=2", "b=1"] + left) && world.there == world.here)
    }

    @Test func aLinkHoldsItsNameHoweverTheDiskSpellsIt() {
        var world = PlannedWorld()
        world.policy.disk = DiskTraits(spelling: .insensitive, tellsCaseApart: false)
        world.local.specials["CAFE\u{301}.txt"] = .symbolicLink
        world.writeThere("caf\u{E9}.txt", 1)
        let plan = world.plan()
        #expect(plan.actions.isEmpty && plan.standing["caf\u{E9}.txt"] == .held(.placeTaken))
    }

    /// What stays here unsynced has a name that the disk takes for the same; when a person moves it away, the other gets its own.
    @Test func whatGetsANameThatItsDiskTookForAnother_isNotThatOne() throws {
        var world = try PlannedCase(before: [.write(.here, "A", 1), .makeFolder(.here, "d")], after: []).world()
        world.policy.disk = DiskTraits(tellsCaseApart: false)
        world.policy.deletions = .documents
        world.deleteThere("A")
        world.writeThere("a", 2)
        try world.settle()
        #expect(world.here == ["A=1", "a (1)=2", "d/"])
        world.move("A", to: "d/A")
        try world.settle()
        #expect(world.here == ["a=2", "d/", "d/A=1"])
        // In whichever order a database tells of them.
        let rows = world.synced.tree.children(of: .root).map {
            AgreedRow(facts: world.synced[$0], name: world.synced.tree.name(of: $0), parentId: "root")
        }
        for rows in [rows, rows.reversed()] {
            world.synced = SyncedTree(rootId: "root", root: LocalStamp(inode: 1))
            for row in rows { world.synced.put(row.facts, named: row.name, under: row.parentId) }
            #expect(world.plan().actions.isEmpty, "\(world.plan())")
        }
    }

    @Test func aLinkGoesAlongWithItsFolderAndHoldsItsNameThere() throws {
        var world = try PlannedCase(before: [.makeFolder(.here, "d")], after: []).world()
        world.local.specials["d/x"] = .symbolicLink
        world.moveThere("d", to: "e")
        world.writeThere("e/x", 1)
        #expect(world.plan().actions.outlines == ["moveLocal e"])
        try world.settle()
        #expect(world.plan().standing["e/x"] == .held(.placeTaken))
    }

    /// Two folders moved into each other, of which one gets the number in its name that the other still has, and the other goes
    /// two floors below it.
    @Test(arguments: [Deed.Side.here, .there])
    func aFolderMakesWayForOneThatItShallBeIn(_ side: Deed.Side) throws {
        let other: Deed.Side = side == .here ? .there : .here
        var world = try PlannedCase(
            before: [
                .makeFolder(.here, "x"), .makeFolder(.here, "x/y"), .makeFolder(.here, "e (1).txt"),
                .write(.here, "e.txt", 1),
            ],
            after: [.move(other, "e (1).txt", "x/y/z"), .move(side, "x", "e (1).txt/e.txt")]
        ).world()
        try world.settle()
        #expect(world.here.count == 4 && world.there == world.here)
    }

    @Test func whatHasNoRoomIsToldOfInItsFolderAsThatIsCalledHere() throws {
        var world = try PlannedCase(before: [.makeFolder(.here, "d")], after: []).world()
        world.move("d", to: "e")
        world.local.specials["e/x"] = .symbolicLink
        world.writeThere("d/x", 1)
        #expect(world.plan().standing["e/x"] == .held(.placeTaken))
    }

    @Test func aLinkInTheOldPlaceOfWhatWasMovedElsewhere_holdsNothing() throws {
        var world = try PlannedCase(before: [.write(.here, "a", 1)], after: []).world()
        world.delete("a")
        world.local.specials["a"] = .symbolicLink
        #expect(world.plan().standing["a"] == .held(.placeTaken))
        world.moveThere("a", to: "b")
        try world.settle()
        #expect(world.here == ["b=1"] && world.there == world.here)
    }

    /// A link stands where the folder would be that it was moved to, and something new wants its name: it keeps that, and is not
    /// left under a passing one.
    @Test func whatCannotComeToItsPlaceMakesNoWay() throws {
        var world = try PlannedCase(before: [.write(.here, "c.txt", 1)], after: []).world()
        world.policy.disk = DiskTraits(tellsCaseApart: false)
        world.local.specials["notes"] = .symbolicLink
        world.makeFolderThere("notes")
        world.moveThere("c.txt", to: "notes/c.txt")
        world.makeFolderThere("C.txt")
        let plan = world.plan()
        #expect(plan.actions.isEmpty && plan.standing["c.txt"] == .held(.folderHeld), "\(plan)")
    }

    /// Its folder is deleted elsewhere: it stays for what a person has written, which would go into the trash with it unseen.
    @Test func whatCannotComeToItsPlaceIsNotThrownAwayWithItsFolder() throws {
        var world = try PlannedCase(before: [.makeFolder(.here, "d"), .write(.here, "d/x", 1)], after: []).world()
        world.local.specials["notes"] = .symbolicLink
        world.moveThere("d/x", to: "notes")
        world.deleteThere("d")
        world.write("d/x", 2)
        world.write("d/y", 3)
        try world.settle()
        #expect(world.here.isSuperset(of: ["d/", "d/x=2"]) && world.trash.isEmpty)
        #expect(world.plan().standing["d/x"] == .held(.placeTaken))
        world.local.specials = [:]
        try world.settle()
        #expect(world.here == ["notes=2", "d/", "d/y=3"] && world.there == world.here)
    }

    @Test(arguments: ["f", "f/r"] as [Place])
    func aFolderThatCannotComeToItsPlaceIsNotThrownAwayWithTheOneAround(_ link: Place) throws {
        var world = try PlannedCase(
            before: [.makeFolder(.here, "d"), .makeFolder(.here, "d/r"), .makeFolder(.here, "f")], after: []
        ).world()
        world.moveThere("d/r", to: "f/r")
        world.deleteThere("d")
        world.write("d/r/a", 5)
        world.link(link)
        try world.settle()
        #expect(world.here.isSuperset(of: ["d/", "d/r/", "d/r/a=5"]) && world.trash.isEmpty)
        #expect(world.plan().standing["d"] == .unsynced(.holdsWhatIsNotSynced))
        world.local.specials = [:]
        try world.settle()
        #expect(world.here == ["f/", "f/r/", "f/r/a=5"] && world.there == world.here)
    }

    @Test func aFolderThatStayedOnTheServerForWhatWasBeingWritten_goesInTheEnd() throws {
        var world = try PlannedCase(before: [.makeFolder(.here, "d"), .write(.here, "d/x", 1)], after: []).world()
        world.move("d/x", to: "x")
        world.change("x") { $0.condition = .beingWritten }
        world.delete("d")
        try world.settle()
        #expect(world.there == ["d/", "d/x=1"])
        world.change("x") { $0.condition = .quiet }
        try world.settle()
        #expect(world.here == ["x=1"] && world.there == world.here)
    }

    /// A folder is put into one that was in it, and that one has a name which the server does not take.
    @Test func whatIsToComeBelowAFolderThatIsHeldBackInIt_waitsForThat() throws {
        var world = try PlannedCase(
            before: [.makeFolder(.here, "x"), .makeFolder(.here, "x/s"), .makeFolder(.here, "x/s/y")], after: []
        ).world()
        world.move("x/s", to: "s\u{1}")
        world.move("x", to: "s\u{1}/y/x")
        let plan = world.plan()
        #expect(plan.actions.isEmpty)
        #expect(plan.standing["s\u{1}"] == .held(.nameInvalidThere))
        #expect(plan.standing["s\u{1}/y/x"] == .held(.folderHeld))
        world.move("s\u{1}", to: "s")
        try world.settle()
        #expect(world.here == ["s/", "s/y/", "s/y/x/"] && world.there == world.here)
    }

    /// The same on the server, and here something stands in its way.
    @Test func whatIsToComeHereBelowAFolderThatIsHeldBackInIt_waitsForThat() throws {
        var world = try PlannedCase(
            before: [.makeFolder(.here, "x"), .makeFolder(.here, "x/s"), .makeFolder(.here, "x/s/y")], after: []
        ).world()
        world.moveThere("x/s", to: "s")
        world.moveThere("x", to: "s/y/x")
        world.local.specials["s"] = .symbolicLink
        let plan = world.plan()
        #expect(plan.actions.isEmpty)
        #expect(plan.standing["x/s"] == .held(.placeTaken) && plan.standing["x"] == .held(.folderHeld))
        world.local.specials = [:]
        try world.settle()
        #expect(world.here == ["s/", "s/y/", "s/y/x/"] && world.there == world.here)
    }
}
