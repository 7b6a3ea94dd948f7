import BothyContract
import BothySync
import Testing

/// What grows past what is taken in is in step no longer, and gone from nowhere: the version of the side that did not change it
/// is known for the older one.
@Suite struct LargestFileTests {
    /// A file that has grown on one side.
    private func grown(here isHere: Bool) throws -> PlannedWorld {
        var world = PlannedWorld()
        world.write("a", 1)
        world.write("b", 2)
        try world.settle()
        world.rules.largestFile = 100
        if isHere {
            world.write("a", 3)
            world.change("a") { $0.stamp.size = 101 }
        } else {
            world.writeThere("a", 3)
            world.changeThere("a") { $0.size = 101 }
        }
        #expect(try world.settle().isEmpty)
        return world
    }

    @Test(arguments: [true, false]) func itStaysAsItIsOnBothSides(_ isHere: Bool) throws {
        let world = try grown(here: isHere)
        #expect(world.here == (isHere ? ["a=3", "b=2"] : ["a=1", "b=2"]))
        #expect(world.there == (isHere ? ["a=1", "b=2"] : ["a=3", "b=2"]))
        #expect(world.plan().standing["a"] == .ignored(rule: .largerThan(100), source: "--max-size"))
    }

    @Test(arguments: [true, false]) func whenLargerOnesAreTakenIn_itIsTheNewVersion(_ isHere: Bool) throws {
        var world = try grown(here: isHere)
        world.rules.largestFile = nil
        let done = try world.settle()
        #expect(done.outlines == [isHere ? "upload a" : "download a"])
        #expect(world.here == ["a=3", "b=2"] && world.there == world.here)
    }

    @Test(arguments: [true, false]) func whenItIsSmallAgain_thatIsTheNewVersion(_ isHere: Bool) throws {
        var world = try grown(here: isHere)
        if isHere { world.write("a", 4) } else { world.writeThere("a", 4) }
        try world.settle()
        #expect(world.here == ["a=4", "b=2"] && world.there == world.here)
    }

    @Test func whenItIsDeletedThere_theOlderVersionGoes() throws {
        var world = try grown(here: false)
        world.deleteThere("a")
        let done = try world.settle()
        #expect(done.outlines == ["trashLocal a"])
        #expect(world.here == ["b=2"] && world.there == world.here)
    }

    @Test func whenTheOlderVersionIsDeletedHere_theNewerStaysThere() throws {
        var world = try grown(here: false)
        world.delete("a")
        try world.settle()
        #expect(world.here == ["b=2"] && world.there == ["a=3", "b=2"])
    }

    @Test func whenItIsRenamedThere_theOlderVersionIsNoFileOfItsOwn() throws {
        var world = try grown(here: false)
        world.moveThere("a", to: "c")
        #expect(try world.settle().isEmpty)
        #expect(world.here == ["a=1", "b=2"] && world.there == ["b=2", "c=3"])
        world.rules.largestFile = nil
        try world.settle()
        #expect(world.here == ["b=2", "c=3"] && world.there == world.here)
    }

    /// A scan does not list what is left out, but where it is.
    @Test func whatGrewHereAndIsNotLookedAt_isNotDeletedThere() throws {
        var world = PlannedWorld()
        world.write("a", 1)
        try world.settle()
        world.rules.largestFile = 100
        world.delete("a")
        world.local.leftOut = ["a"]
        #expect(try world.settle().isEmpty)
        #expect(world.there == ["a=1"] && world.plan().actions.isEmpty)
        #expect(world.plan().standing["a"] == .ignored(rule: .largerThan(100), source: "--max-size"))
    }

    /// With the folder that it was in, which stays here for it.
    @Test func whatGrewHereStays_whenItsFolderIsDeletedThere() throws {
        var world = PlannedWorld()
        world.makeFolder("d")
        world.write("d/a", 1)
        try world.settle()
        world.rules.largestFile = 100
        world.write("d/a", 3)
        world.change("d/a") { $0.stamp.size = 101 }
        try world.settle()
        world.deleteThere("d")
        try world.settle()
        #expect(world.here == ["d/", "d/a=3"] && world.there.isEmpty)
        #expect(world.plan().actions.isEmpty)
    }
}
