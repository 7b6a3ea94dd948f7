import BothyClient
import BothySync
import Testing

/// What was given a name that is no UTF-8 is there still, though no scan can tell of it by that name.
@Suite struct NameNotTextTests {
    /// As a scan lists such a name.
    private static let listed: Place = "caf\u{FFFD}"

    /// Takes what is at a place to a name that is no text.
    private func unspell(_ place: Place, in world: inout PlannedWorld) throws {
        let stamp = try #require(world.local.facts(at: place)).stamp
        world.delete(place)
        world.local.specials[Self.listed] = .nameNotText
        world.local.noteUnspelled(stamp, at: Self.listed)
    }

    private func deleteUnspelled(in world: inout PlannedWorld) {
        world.local.specials[Self.listed] = nil
        world.local.forgetUnspelled(at: Self.listed)
    }

    /// It went to the trash everywhere.
    @Test func givingAFileSuchANameDeletesNothing() throws {
        var world = PlannedWorld()
        world.write("a", 1)
        world.write("b", 2)
        try world.settle()
        try unspell("a", in: &world)
        world.delete("b")
        #expect(try world.settle().outlines == ["trashRemote b"])
        #expect(world.plan().standing["a"] == .held(.nameNotText))
        deleteUnspelled(in: &world)
        #expect(try world.settle().outlines == ["trashRemote a"])
    }

    @Test func aLookAtWhatWasTouchedKnowsItToo() throws {
        var world = PlannedWorld()
        world.write("a", 1)
        world.write("b", 2)
        try world.settle()
        try unspell("a", in: &world)
        let plan = Planner.plan(
            world.question, about: Touched(places: ["a", Self.listed]), under: Guard.Circumstances())
        #expect(plan.actions.isEmpty && plan.standing["a"] == .held(.nameNotText))
    }

    @Test func aFolderIsKnownWithAllThatIsInIt() throws {
        var world = PlannedWorld()
        world.makeFolder("docs")
        world.makeFolder("docs/deep")
        world.write("docs/deep/f", 1)
        try world.settle()
        try unspell("docs", in: &world)
        #expect(try world.settle().isEmpty)
        #expect(world.there == ["docs/", "docs/deep/", "docs/deep/f=1"])
        #expect(world.plan().standing["docs"] == .held(.nameNotText))
        deleteUnspelled(in: &world)
        try world.settle()
        #expect(world.there.isEmpty)
    }

    /// The new one was agreed on in its place, and then nothing told any more where the files of the old one were.
    @Test func anotherFolderInItsPlaceIsNotTakenForIt() throws {
        var world = PlannedWorld()
        world.makeFolder("docs")
        world.write("docs/f", 1)
        try world.settle()
        try unspell("docs", in: &world)
        world.makeFolder("docs")
        #expect(try world.settle().isEmpty)
        #expect(world.there == ["docs/", "docs/f=1"])
        deleteUnspelled(in: &world)
        try world.settle()
        #expect(world.there == ["docs/"])
    }

    @Test func aCopyElsewhereIsNoMoveOfIt() throws {
        var world = PlannedWorld()
        world.makeFolder("docs")
        world.write("docs/f", 1)
        world.makeFolder("other")
        try world.settle()
        try unspell("docs", in: &world)
        world.write("other/f", 1)
        #expect(world.plan().actions.outlines == ["upload other/f"])
    }

    @Test func whatIsFoundUnderAnotherNameWasMovedThere() throws {
        var world = PlannedWorld()
        world.write("a", 1)
        try world.settle()
        let stamp = try #require(world.local.facts(at: "a")).stamp
        world.move("a", to: "b")
        // A hard link.
        world.local.specials[Self.listed] = .nameNotText
        world.local.noteUnspelled(stamp, at: Self.listed)
        try world.settle()
        #expect(world.there == ["b=1"])
    }
}
