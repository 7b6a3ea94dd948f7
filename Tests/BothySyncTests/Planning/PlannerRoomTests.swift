import BothyContract
import BothySync
import Testing

/// Names that something else has: what is cut off between two moves, and what is never touched.
@Suite struct PlannerRoomTests {
    @Test func aNameForAMomentIsAnotherWhereOneWasLeftBehind() {
        let first = GivenNames.temporary(for: "f1")
        let second = GivenNames.temporary(for: "f1") { $0 == first }
        #expect(first != second && GivenNames.isTemporary(second))
    }

    @Test func filesChangeNamesAlthoughAnEarlierChangeWasCutOff() throws {
        var world = try PlannedCase(before: [.write(.here, "a", 1), .write(.here, "b", 2)], after: []).world()
        for place in ["a", "b"] as [Place] {
            let id = try #require(world.id(place))
            world.write(Place([GivenNames.temporary(for: id)]), 3)
        }
        world.moveThere("a", to: "t")
        world.moveThere("b", to: "a")
        world.moveThere("t", to: "b")
        try world.settle()
        #expect(world.local.facts(at: "a")?.hash == PlannedWorld.hash(2))
        #expect(world.local.facts(at: "b")?.hash == PlannedWorld.hash(1))
    }

    @Test func aLinkHoldsItsNameHoweverTheDiskSpellsIt() {
        var world = PlannedWorld()
        world.policy.disk = DiskTraits(spelling: .insensitive, tellsCaseApart: false)
        world.local.specials["CAFE\u{301}.txt"] = .symbolicLink
        world.writeThere("caf\u{E9}.txt", 1)
        let plan = world.plan()
        #expect(plan.actions.isEmpty && plan.standing["caf\u{E9}.txt"] == .held(.placeTaken))
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
}
