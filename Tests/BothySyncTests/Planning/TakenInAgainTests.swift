import BothyClient
import BothyContract
import Testing

@testable import BothySync

/// What a rule leaves out is known all the while: taken in again, it goes on from what both sides had.
@Suite struct TakenInAgainTests {
    /// How a rule leaves it out, and whether a scan lists what is left out: that of an engine tells the top alone.
    struct Way: Sendable, CustomTestStringConvertible {
        var pattern: String
        var isListed: Bool

        var testDescription: String { "\(pattern) \(isListed ? "listed" : "not looked at")" }
    }

    static let ways = ["d/", "*.o", "d/*.o"].flatMap { pattern in
        [true, false].map { Way(pattern: pattern, isListed: $0) }
    }

    /// Files that both sides have, and that a rule leaves out by now.
    private func leftOut(_ way: Way, files: [Place] = ["d/a.o", "d/b.o"]) throws -> PlannedWorld {
        var world = PlannedWorld()
        world.makeFolder("d")
        for file in files { world.write(file, 1) }
        world.write("kept", 2)
        try world.settle()
        world.rules.setFile(way.pattern, in: .root)
        try look(way, &world) { world in
            let done = try world.settle()
            #expect(done.reasons.allSatisfy { $0 == .leftOutNow } && !done.isEmpty)
        }
        return world
    }

    /// What a pass does while the rule holds; then the whole disk is seen again.
    private func look(_ way: Way, _ world: inout PlannedWorld, _ pass: (inout PlannedWorld) throws -> Void) throws {
        let disk = world.local
        if !way.isListed {
            let tops = way.pattern == "d/" ? ["d" as Place] : world.here.compactMap(Self.place).filter(\.isObject)
            for top in tops {
                world.local.leftOut.insert(top)
                world.local.remove(top)
            }
        }
        try pass(&world)
        world.local = disk
    }

    /// Nothing is done about what is left out, whatever became of it.
    private func restUnderTheRule(_ way: Way, _ world: inout PlannedWorld) throws {
        try look(way, &world) { world in
            let done = try world.settle()
            #expect(done.isEmpty)
        }
    }

    private static func place(_ outline: String) -> Place? {
        outline.split(separator: "=").first.map { Place(text: String($0)) }
    }

    /// - Returns: what was done when the rule was taken back.
    private func takeIn(_ world: inout PlannedWorld) throws -> [Action] {
        world.rules.setFile("", in: .root)
        let done = try world.settle()
        let rows = world.synced.tree.subtree(of: .root)
        let marked = rows.filter { world.synced[$0].mark == .leftOut }
        #expect(marked.isEmpty, "nothing is marked that no rule leaves out")
        return done
    }

    @Test(arguments: ways) func whatTheServerHasNoMoreGoesHereToo(_ way: Way) throws {
        var world = try leftOut(way)
        world.deleteThere("d/a.o")
        try restUnderTheRule(way, &world)
        #expect(world.here == ["d/", "d/a.o=1", "d/b.o=1", "kept=2"])
        let done = try takeIn(&world)
        #expect(done.outlines.filter { $0.hasPrefix("trash") } == ["trashLocal d/a.o"])
        #expect(world.here == ["d/", "d/b.o=1", "kept=2"] && world.there == world.here)
    }

    @Test(arguments: ways) func whatWasEditedThereIsTheNewVersionOfIt(_ way: Way) throws {
        var world = try leftOut(way)
        world.writeThere("d/a.o", 3)
        try restUnderTheRule(way, &world)
        let done = try takeIn(&world)
        #expect(done.outlines.filter { !$0.hasPrefix("record") } == ["download d/a.o"])
        #expect(world.here == ["d/", "d/a.o=3", "d/b.o=1", "kept=2"] && world.there == world.here)
    }

    @Test(arguments: ways) func whatWasEditedHereIsTheNewVersionOfIt(_ way: Way) throws {
        var world = try leftOut(way)
        world.write("d/a.o", 4)
        world.write("d/b.o", 5)
        world.deleteThere("d/b.o")
        try restUnderTheRule(way, &world)
        let done = try takeIn(&world)
        #expect(!done.outlines.contains { $0.hasPrefix("trash") || $0.hasPrefix("setAside") })
        #expect(world.here == ["d/", "d/a.o=4", "d/b.o=5", "kept=2"] && world.there == world.here)
    }

    @Test(arguments: ways) func whatBothEditedIsAConflictOfTwoVersions(_ way: Way) throws {
        var world = try leftOut(way)
        world.write("d/a.o", 4)
        world.writeThere("d/a.o", 3)
        let done = try takeIn(&world)
        #expect(done.outlines.contains("setAside d/a (anna's conflict 2026-11-20).o"))
    }

    /// As of what has grown too large: nobody looked whether it was there.
    @Test(arguments: ways) func whatIsMissingHereWasNotDeleted(_ way: Way) throws {
        var world = try leftOut(way)
        world.delete("d/a.o")
        try restUnderTheRule(way, &world)
        #expect(world.there == ["d/", "d/a.o=1", "d/b.o=1", "kept=2"])
        let done = try takeIn(&world)
        #expect(!done.outlines.contains { $0.hasPrefix("trash") } && done.reasons.contains(.createdThere))
        #expect(world.here == ["d/", "d/a.o=1", "d/b.o=1", "kept=2"] && world.there == world.here)
    }

    @Test(arguments: ways) func whatNeitherSideHasIsForgotten(_ way: Way) throws {
        var world = try leftOut(way)
        for place in ["d/a.o", "d/b.o", "d"] as [Place] {
            world.delete(place)
            world.deleteThere(place)
        }
        #expect(try world.settle().allSatisfy { $0.reason == .deletedOnBothSides })
        #expect(world.synced.tree.count == 2 && world.here == ["kept=2"])
    }

    /// In a large folder a quarter would no longer be one, and what is all that is left would not be all.
    @Test(arguments: ways) func aGuardDoesNotCountWhatIsLeftOut(_ way: Way) throws {
        var world = try leftOut(way, files: (1...90).map { Place(text: "d/\($0).o") })
        for index in 1...19 { world.write(Place(text: "\(index)"), 9) }
        try look(way, &world) { world in
            try world.settle()
            for index in 1...10 { world.deleteThere(Place(text: "\(index)")) }
            let plan = Planner.plan(world.question, under: Guard.Circumstances())
            guard case .manyDeletions(.here, let tally, _)? = plan.sighting else {
                Issue.record("it passed")
                return
            }
            #expect(tally.planned == 10 && tally.known < 22)
        }
    }

    @Test func aRuleThatIsTakenBackIsNoWayRoundTheGuard() throws {
        var world = try leftOut(Way(pattern: "d/", isListed: true), files: (1...45).map { Place(text: "d/\($0).o") })
        for index in 1...10 { world.write(Place(text: "\(index)"), 9) }
        try world.settle()
        world.deleteThere("d")
        world.rules.setFile("", in: .root)
        let plan = Planner.plan(world.question, under: Guard.Circumstances())
        guard case .manyDeletions(.here, let tally, _)? = plan.sighting else {
            Issue.record("it passed")
            return
        }
        #expect(tally.planned >= 45)
    }

    /// What is left of it was not among what is gone.
    @Test func aFolderThatIsEmptyButForWhatWasLeftOutBeforeIsEmptied() throws {
        let way = Way(pattern: "d/", isListed: false)
        var world = try leftOut(way)
        world.write("other", 3)
        try look(way, &world) { world in
            try world.settle()
            world.delete("kept")
            world.delete("other")
            let plan = Planner.plan(world.question, under: Guard.Circumstances())
            #expect(plan.sighting == .rootEmptied)
        }
    }

    /// Told once, for all that is in it.
    @Test func aFolderStandsForAllThatIsInIt() throws {
        let world = try leftOut(Way(pattern: "d/", isListed: true))
        let expected: [Place: Standing] = ["d": .ignored(rule: "d/", source: ".bothyignore")]
        #expect(world.plan().standing == expected)
        for place in ["d", "d/a.o"] as [Place] {
            let cause = world.plan().status(of: place, in: world.whereabouts).cause
            #expect(cause == .leftOut(rule: "d/", source: ".bothyignore"), "\(place)")
        }
    }

    /// Taking back that it was sent keeps it here alone, also when a rule has left it out meanwhile.
    @Test func whatIsUnsyncedStaysSo() throws {
        var world = PlannedWorld()
        world.write("a.o", 1)
        try world.settle()
        let id = try #require(world.id("a.o"))
        world.deleteThere("a.o")
        world.synced.update(id) { $0.mark = .unsynced(.takenBack) }
        world.rules.setFile("*.o", in: .root)
        #expect(try world.settle().isEmpty)
        world.rules.setFile("", in: .root)
        #expect(try world.settle().isEmpty)
        #expect(world.here == ["a.o=1"] && world.plan().standing["a.o"] == .unsynced(.takenBack))
    }
}

extension Place {
    fileprivate var isObject: Bool { name.text.hasSuffix(".o") }
}
