import BothySync
import Testing

@Suite struct GuardTests {
    private func world(files: Int) throws -> PlannedWorld {
        var world = PlannedWorld()
        world.makeFolder("docs")
        for index in 1...files { world.write(Place(text: "docs/\(index)"), index) }
        // Linked from both sides at once: that is faster than sending each.
        for node in world.local.tree.subtree(of: .root).dropFirst() {
            let (place, facts) = (world.local.tree.place(of: node), world.local[node])
            if facts.kind == .folder {
                world.makeFolderThere(place)
            } else {
                world.writeThere(place, Int(facts.stamp.size))
            }
        }
        for action in world.plan().actions { try world.execute(action) }
        return world
    }

    private func told(_ lately: Int = 0, confirmed: Set<Guard.Sighting> = []) -> Guard.Circumstances {
        Guard.Circumstances(lately: [.here: lately, .onTheServer: lately], confirmed: confirmed)
    }

    @Test func aFolderCountsForAllThatIsInIt() throws {
        var world = try world(files: 60)
        world.deleteThere("docs")
        let plan = Planner.plan(world.question, under: told())
        #expect(plan.sighting == .manyDeletions(.here, Guard.Tally(planned: 61, lately: 0, known: 61)))
        #expect(plan.isEmpty && plan.standing["docs/7"] == .held(.guarded))
    }

    @Test func bothDirectionsAreGuarded() throws {
        var world = try world(files: 60)
        world.delete("docs")
        world.write("left", 99)
        let plan = Planner.plan(world.question, under: told())
        #expect(plan.sighting == .manyDeletions(.onTheServer, Guard.Tally(planned: 61, lately: 0, known: 61)))
        #expect(plan.actions.outlines == ["upload left"])
    }

    /// Who put something else in the place of a file has looked at it: on neither side does that wait for a word.
    @Test func whatWasReplacedIsNothingMissing() throws {
        var world = try world(files: 60)
        world.delete("docs/7")
        world.makeFolder("docs/7")
        world.write("docs/7/inside", 99)
        world.move("docs/8", to: "docs/7/8")
        #expect(Planner.plan(world.question, under: told(50)).sighting == nil)
        #expect(try world.settle().reasons.contains(.replacedHere))
        #expect(world.there == world.here && world.here.isSuperset(of: ["docs/7/", "docs/7/8=8"]))

        world.deleteThere("docs/11")
        world.makeFolderThere("docs/11")
        #expect(Planner.plan(world.question, under: told(50)).sighting == nil)
        #expect(try world.settle().reasons.contains(.replacedThere))
        #expect(world.here.contains("docs/11/"))
    }

    /// A file in the place of a folder whose deletion is asked about: it waits too, and keeps its name.
    @Test func whatStandsInThePlaceOfAHeldFolderWaitsForTheSameWord() throws {
        for isMoved in [false, true] {
            var world = try world(files: 60)
            world.write("other", 98)
            try world.settle()
            world.delete("docs")
            if isMoved { world.move("other", to: "docs") } else { world.write("docs", 99) }
            let plan = Planner.plan(world.question, under: told())
            #expect(plan.isEmpty && plan.sighting != nil, "\(plan.actions.outlines)")
            let seen = try #require(plan.sighting)
            let confirmed = Planner.plan(world.question, under: told(confirmed: [seen])).actions.outlines
            #expect(Set(confirmed) == ["trashRemote docs", isMoved ? "moveRemote docs" : "upload docs"])
        }
    }

    @Test func whatIsConfirmedGoesOn() throws {
        var world = try world(files: 60)
        world.deleteThere("docs")
        let sighting = try #require(Planner.plan(world.question, under: told()).sighting)
        let plan = Planner.plan(world.question, under: told(confirmed: [sighting]))
        #expect(plan.sighting == nil && plan.actions.outlines == ["trashLocal docs"])
    }

    @Test func moreThanWasConfirmedIsAskedAgain() throws {
        var world = try world(files: 60)
        world.deleteThere("docs/1")
        let seen = Guard.Sighting.manyDeletions(.here, Guard.Tally(planned: 1, lately: 50, known: 61))
        #expect(Planner.plan(world.question, under: told(50)).sighting == seen)
        world.deleteThere("docs")
        #expect(Planner.plan(world.question, under: told(50, confirmed: [seen])).sighting != nil)
    }

    /// A hostile server that deletes 49 a pass is stopped by the second.
    @Test func aDayCounts_notAPass() throws {
        var world = try world(files: 300)
        for index in 1...49 { world.deleteThere(Place(text: "docs/\(index)")) }
        #expect(Planner.plan(world.question, under: told(0)).sighting == nil)
        #expect(Planner.plan(world.question, under: told(49)).sighting != nil)
    }

    @Test func aQuarterOfASmallTreeIsTooMuch_andOfAVerySmallOneIsNot() throws {
        var small = try world(files: 20)
        for index in 1...6 { small.deleteThere(Place(text: "docs/\(index)")) }
        #expect(Planner.plan(small.question, under: told()).sighting != nil)
        var tiny = try world(files: 10)
        for index in 1...9 { tiny.deleteThere(Place(text: "docs/\(index)")) }
        #expect(Planner.plan(tiny.question, under: told()).sighting == nil)
    }

    /// A guard holds what takes away; everything else goes on.
    @Test func editsGoOnWhileDeletionsAreHeld() throws {
        var world = try world(files: 60)
        for index in 1...55 { world.deleteThere(Place(text: "docs/\(index)")) }
        world.write("docs/60", 70)
        world.writeThere("docs/59", 71)
        let plan = Planner.plan(world.question, under: told())
        #expect(plan.sighting != nil)
        #expect(Set(plan.actions.outlines) == ["upload docs/60", "download docs/59"])
    }

    /// Everyone edits; the history has what was before.
    @Test func editsAreNoOverwrites() throws {
        var world = try world(files: 60)
        for index in 1...60 { world.writeThere(Place(text: "docs/\(index)"), index + 1) }
        #expect(Planner.plan(world.question, under: told()).sighting == nil)
    }

    @Test func aRootThatIsNotWhatItWasStopsEverything() throws {
        var world = try world(files: 3)
        world.write("new", 9)
        let roots: [(Guard.LocalRoot, Guard.Sighting)] = [
            (.vanished, .rootVanished), (.unmounted, .rootUnmounted), (.replaced, .rootReplaced),
        ]
        for (root, sighting) in roots {
            let plan = Planner.plan(world.question, under: Guard.Circumstances(localRoot: root))
            #expect(plan.sighting == sighting && plan.isEmpty)
        }
        let lost = Planner.plan(world.question, under: Guard.Circumstances(isRemoteRootThere: false))
        #expect(lost.sighting == .remoteRootLost && lost.isEmpty)
    }

    @Test func anEmptiedDiskIsNoDeletionOfEverything() throws {
        var world = try world(files: 3)
        world.delete("docs")
        #expect(Planner.plan(world.question, under: told()).sighting == .rootEmptied)
        let plan = Planner.plan(world.question, under: told(confirmed: [.rootEmptied]))
        #expect(plan.actions.outlines == ["trashRemote docs"])
    }

    /// Its cursor has expired meanwhile, so that everything would be fetched anew below a disk that is mounted again tomorrow.
    @Test func anEmptiedDiskIsNotFilledAnewUnasked() throws {
        var world = try world(files: 3)
        world.delete("docs")
        var question = world.question
        question.policy.isLinking = true
        let held = Planner.plan(question, under: told())
        #expect(held.sighting == .rootEmptied && held.isEmpty)
        let plan = Planner.plan(question, under: told(confirmed: [.rootEmptied]))
        #expect(plan.actions.outlines.first == "makeLocalFolder docs" && plan.actions.count == 4)
    }
}
