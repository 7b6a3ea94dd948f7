import BothyClient
import BothyContract
import BothySync
import Testing

/// Two files that are swapped by three renames, with passes in between: one of them was an edit of the other then, and its
/// versions lay in the server's trash.
@Suite struct SwappedFilesTests {
    private func agreed() throws -> PlannedWorld {
        var world = PlannedWorld()
        world.write("p", 1)
        world.write("q", 2)
        try world.settle()
        return world
    }

    /// - Parameter age: seconds that what is moved has lived by then.
    private func move(_ place: Place, to target: Place, age: Int64 = 60, in world: inout PlannedWorld) {
        world.move(place, to: target)
        world.change(target) { $0.stamp.changedAt = $0.stamp.bornAt?.adding(seconds: age) ?? $0.stamp.changedAt }
    }

    /// By after which of the first two renames a pass comes.
    @Test(arguments: [[], [1], [2], [1, 2]]) func bothKeepTheirVersionsWhereverAPassComesBetween(_ passes: [Int]) throws
    {
        var world = try agreed()
        let ids = [try #require(world.id("p")), try #require(world.id("q"))]
        let renames: [(Place, Place)] = [("p", "t"), ("q", "p"), ("t", "q")]
        for (number, (from, to)) in renames.enumerated() {
            move(from, to: to, in: &world)
            if passes.contains(number + 1) { try world.settle() }
        }
        try world.settle()
        #expect(world.there == ["p=2", "q=1"] && world.here == world.there)
        // Swapped at once each place keeps its file, which has another version then.
        #expect([world.id("p"), world.id("q")] == (passes.isEmpty ? ids : ids.reversed()))
    }

    @Test func whatWasMovedIntoThePlaceOfAnotherIsMovedAndNothingIsSent() throws {
        var world = try agreed()
        move("p", to: "t", in: &world)
        move("q", to: "p", in: &world)
        let done = try world.settle()
        #expect(done.outlines == ["moveRemote t", "moveRemote p"])
        #expect(world.there == ["t=1", "p=2"] && world.here == world.there)
    }

    /// An editor writes beside its file, keeps that as a backup, and gives its name to what it wrote.
    @Test func whatWasSavedAMomentAgoKeepsTheFileOfItsPlace() throws {
        var world = try agreed()
        let id = world.id("p")
        move("p", to: "p~", in: &world)
        move("q", to: "p", age: 2, in: &world)
        try world.settle()
        #expect(world.id("p") == id && world.there == ["p=2", "p~=1"] && world.here == world.there)
    }

    @Test func whatReplacesAFileThatIsGoneIsAVersionOfIt() throws {
        var world = try agreed()
        let id = world.id("p")
        world.delete("p")
        move("q", to: "p", in: &world)
        try world.settle()
        #expect(world.id("p") == id && world.there == ["p=2"] && world.here == world.there)
    }
}
