import BothySync
import Testing

/// Files that lost their content and kept their names, as after a crash: guards count what is in files, too.
@Suite struct EmptiedFilesTests {
    private func world(files: Int) throws -> PlannedWorld {
        var world = PlannedWorld()
        for index in 1...files {
            world.write(Place(text: "\(index)"), index)
            world.writeThere(Place(text: "\(index)"), index)
        }
        for action in world.plan().actions { try world.execute(action) }
        return world
    }

    private func tally(_ emptied: Int, of known: Int) -> Guard.Tally {
        Guard.Tally(planned: emptied, emptied: emptied, lately: 0, known: known)
    }

    /// They were emptied on all other devices, unasked.
    @Test func manyThatWereEmptiedHereAreAskedAbout() throws {
        var world = try world(files: 60)
        for index in 1...40 { world.write(Place(text: "\(index)"), 0) }
        world.write("60", 600)
        let plan = Planner.plan(world.question, under: Guard.Circumstances())
        let seen = Guard.Sighting.manyDeletions(.onTheServer, tally(40, of: 60))
        #expect(plan.sighting == seen && plan.held == [.onTheServer])
        #expect(plan.actions.outlines == ["upload 60"] && plan.standing["7"] == .held(.guarded))
        #expect(seen.words.hasPrefix("40 of 60 files would be emptied on the server. Bothy asks"))
        let confirmed = Planner.plan(world.question, under: Guard.Circumstances(confirmed: [seen]))
        #expect(confirmed.sighting == nil && confirmed.actions.count == 41)
    }

    @Test func manyThatWereEmptiedElsewhereAreAskedAbout() throws {
        var world = try world(files: 60)
        for index in 1...55 { world.writeThere(Place(text: "\(index)"), 0) }
        let plan = Planner.plan(world.question, under: Guard.Circumstances())
        #expect(plan.sighting == .manyDeletions(.here, tally(55, of: 60)) && plan.isEmpty)
        #expect(plan.sighting?.words.hasPrefix("55 of 60 files would be emptied here. Bothy asks") == true)
    }

    @Test func aFewPass_andSoDoesWhatWasEmptyBefore() throws {
        var world = try world(files: 60)
        for index in 1...10 { world.write(Place(text: "\(index)"), 0) }
        let plan = Planner.plan(world.question, under: Guard.Circumstances())
        #expect(plan.sighting == nil && plan.actions.count == 10)
        for action in plan.actions { try world.execute(action) }
        for index in 1...10 { world.change(Place(text: "\(index)")) { $0.executable = true } }
        let later = Guard.Circumstances(lately: [.onTheServer: 50])
        #expect(Planner.plan(world.question, under: later).sighting == nil)
    }

    /// A disk that fails does both.
    @Test func whatWasDeletedAndWhatWasEmptiedCountTogether() throws {
        var world = try world(files: 60)
        for index in 1...8 { world.write(Place(text: "\(index)"), 0) }
        for index in 11...18 { world.delete(Place(text: "\(index)")) }
        let plan = Planner.plan(world.question, under: Guard.Circumstances())
        let seen = Guard.Tally(planned: 16, emptied: 8, lately: 0, known: 60)
        #expect(plan.sighting == .manyDeletions(.onTheServer, seen) && plan.isEmpty)
        #expect(
            plan.sighting?.words.hasPrefix(
                "8 of 60 files and folders would be deleted on the server, and 8 files would be emptied on the server")
                == true)
    }

    /// Who agreed to files that are emptied has not agreed to files that are gone.
    @Test func aWordAboutEmptiedFilesIsNoneAboutDeletions() throws {
        var world = try world(files: 60)
        for index in 1...40 { world.delete(Place(text: "\(index)")) }
        let confirmed: Set = [Guard.Sighting.manyDeletions(.onTheServer, tally(40, of: 60))]
        #expect(Planner.plan(world.question, under: Guard.Circumstances(confirmed: confirmed)).sighting != nil)
    }
}
