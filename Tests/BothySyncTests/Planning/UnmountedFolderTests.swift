import BothyClient
import BothySync
import Testing

/// The bare place of a disk that is not mounted: what was on the disk is neither deleted nor put there.
@Suite struct UnmountedFolderTests {
    private func world() throws -> PlannedWorld {
        var world = PlannedWorld()
        world.makeFolder("photos")
        for index in 1...3 { world.write(Place(text: "photos/\(index)"), index) }
        world.write("notes", 9)
        try world.settle()
        world.delete("photos")
        world.local.specials["photos"] = .unmounted
        return world
    }

    /// All of it was deleted on every other device.
    @Test func nothingOnItIsDeleted_whateverElseGoesOn() throws {
        var world = try world()
        world.write("notes", 10)
        world.writeThere("photos/1", 11)
        world.writeThere("photos/new", 12)
        world.deleteThere("photos/2")
        let plan = world.plan()
        #expect(plan.actions.outlines == ["upload notes"])
        #expect(plan.standing["photos"] == .held(.unmounted) && plan.standing["photos/3"] == .held(.unmounted))
        #expect(plan.standing.values.allSatisfy { $0.isTold })
    }

    @Test func theSameElsewhereIsACopy() throws {
        var world = try world()
        world.write("3", 3)
        #expect(world.plan().actions.outlines == ["upload 3"])
    }

    @Test func aFolderThatIsDeletedIsOne() throws {
        var world = try world()
        world.delete("photos")
        #expect(world.plan().actions.outlines == ["trashRemote photos"])
    }
}
