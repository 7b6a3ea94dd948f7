import BothyClient
import BothySync
import Testing

/// Names for the moment between two moves: whose they are, when that moment was cut off, and what they must not cost.
@Suite struct PassingNameTests {
    private func agreed(_ deeds: Deed...) throws -> PlannedWorld {
        try PlannedCase(before: deeds, after: []).world()
    }

    /// Both ways to carry out a plan, at once and anew after each step, end alike.
    private func settled(_ world: PlannedWorld) throws -> Set<String> {
        var (steps, whole) = (world, world)
        try steps.settle()
        for action in whole.plan().actions { try whole.execute(action) }
        try whole.settle()
        #expect(steps.here == whole.here && steps.there == steps.here && whole.there == whole.here)
        return steps.here
    }

    /// Its editor saved it by renaming, so that its inode is another than was agreed on, and its own name was gone already.
    @Test(arguments: [true, false])
    func aFileThatWasSavedGoesToItsPlaceAlthoughThatWasCutOff(_ isMovedBefore: Bool) throws {
        var world = try PlannedCase(before: [.write(.here, "a", 1)], after: []).world()
        world.moveThere("a", to: "t")
        world.makeFolderThere("a")
        world.moveThere("t", to: "a/b")
        if isMovedBefore { world.move("a", to: "f") }
        if isMovedBefore { world.write("a", 2) } else { world.saveByRename("a", 2) }
        let first = try #require(world.plan().actions.first)
        #expect(first.outline.hasPrefix("moveLocal .bothy-moving-"))
        try world.execute(first)
        try world.settle()
        #expect(world.here == (isMovedBefore ? ["a/", "a/b=2", "f=1"] : ["a/", "a/b=2"]) && world.there == world.here)
    }

    /// Both gave it another name, and the server's counts: planned anew after each step, nothing but the name here tells it.
    @Test func aNameThatWasGivenOnTheServerOutlivesAPassingOne() throws {
        var world = try PlannedCase(before: [.makeFolder(.here, "b")], after: []).world()
        world.move("b", to: "hand")
        world.makeFolder("a")
        world.move("hand", to: "a/c")
        world.moveThere("b", to: "a")
        var whole = world
        for action in whole.plan().actions { try whole.execute(action) }
        try world.settle()
        #expect(world.here == ["a/", "a/a/"] && world.there == world.here && whole.here == world.here)
    }

    @Test func aNameThatWasGivenHereOutlivesAPassingOne() throws {
        var world = try PlannedCase(before: [.makeFolder(.here, "b")], after: []).world()
        world.move("b", to: "a")
        world.moveThere("b", to: "hand")
        world.makeFolderThere("a")
        world.moveThere("hand", to: "a/b")
        var whole = world
        for action in whole.plan().actions { try whole.execute(action) }
        try world.settle()
        #expect(world.here == ["a/", "a/a/"] && world.there == world.here && whole.here == world.here)
    }

    /// Nothing would tell whose a passing name was.
    @Test func whatIsNewHereMakesWayUnderANameThatAPersonCouldGive() throws {
        for seed in PlannerPropertyTests.first..<PlannerPropertyTests.first + 2_000 {
            var world = try PlannedCase(seed: seed).world()
            while let action = world.plan().actions.first {
                if case .moveLocal(_, nil, _, let spot, _) = action.step {
                    #expect(!GivenNames.isTemporary(spot.place.name), "seed \(seed): \(action)")
                }
                try world.execute(action)
            }
        }
    }

    /// On a disk that tells no births what was put into a new folder of its name is taken for the new one; and the other of two that
    /// changed names there has its place already, which was not written down.
    @Test func aFolderBetweenTwoMovesIsKnownWhileAnotherHasItsPlaceAlready() throws {
        var planned = PlannedCase(before: [.makeFolder(.here, "a"), .makeFolder(.here, "d")], after: [])
        planned.knowsBirths = false
        var world = try planned.world()
        world.moveThere("a", to: "t")
        world.moveThere("d", to: "a")
        world.moveThere("t", to: "d")
        world.move("d", to: "hand")
        world.makeFolder("d")
        world.move("hand", to: "d/d")
        for crashes in [false, true] {
            try world.execute(try #require(world.plan().actions.first), crashes: crashes)
        }
        try world.settle()
        #expect(world.here == ["a/", "a/d/", "d/"] && world.there == world.here)
    }

    // MARK: - Whose they are

    /// Left by a change that was cut off long ago, it is a file like any other by now.
    @Test func aFileThatIsAgreedOnUnderAPassingNameIsTakenForNoOther() throws {
        var world = try agreed(.write(.here, "b", 1))
        let name = GivenNames.temporary(for: try #require(world.id("b")), attempt: 0)
        world.write(Place([name]), 3)
        try world.settle()
        world.saveByRename("b", 2)
        #expect(world.plan().actions.map(\.outline) == ["upload b"])
        #expect(try settled(world) == ["b=2", "\(name)=3"])
    }

    /// Nor is what is left under one taken for a file that its editor has saved at its place.
    @Test func aFileAtItsPlaceIsNotElsewhere() throws {
        var world = try agreed(.write(.here, "b", 1))
        let name = GivenNames.temporary(for: try #require(world.id("b")), attempt: 0)
        world.write(Place([name]), 3)
        world.saveByRename("b", 2)
        #expect(try settled(world) == ["b=2", "\(name)=3"])
    }

    /// A crash came between the making of the folder that it made way for and the note of it.
    @Test func whatHasBeenBroughtInItsPlaceIsNotTakenForIt() throws {
        var world = try agreed(.makeFolder(.here, "b"))
        world.moveThere("b", to: "t")
        world.makeFolderThere("b")
        world.moveThere("t", to: "b/b")
        world.delete("b")
        world.makeFolder("b")
        try world.execute(try #require(world.plan().actions.first))
        world.makeFolder("b")
        #expect(try settled(world) == ["b/", "b/b/"])
    }

    // MARK: - What goes along to the other side

    /// It trapped: the name that goes along was the very one that was being made free.
    @Test func aNameThatGoesAlongTakesNoRoomThatWasMadeForAnother() throws {
        var world = try agreed(
            .makeFolder(.here, "a"), .makeFolder(.here, "b"), .write(.here, "b/m", 1), .write(.here, "a/p", 2),
            .write(.here, "b/d (1).txt", 3))
        world.move("b/m", to: "a/d.txt")
        world.move("a/p", to: "b/p")
        world.moveThere("b/d (1).txt", to: "a/d.txt")
        world.moveThere("a/p", to: "a/d (1).txt")
        #expect(Set(try settled(world).map { $0.suffix(2) }).isSuperset(of: ["=1", "=2", "=3"]))
    }

    /// A file in the place that was agreed on for another is taken for that one; and nothing is moved onto itself.
    @Test func aNameThatWasAgreedOnForAnotherDoesNotGoAlong() throws {
        var world = try agreed(
            .makeFolder(.here, "a"), .makeFolder(.here, "z"), .write(.here, "z/m", 1), .write(.here, "a/n", 2))
        world.moveThere("z/m", to: "z/n")
        world.move("a/n", to: "hand")
        world.move("z/m", to: "a/m")
        world.move("hand", to: "z/n")
        for case .moveLocal(_, _, let from, let spot, _) in world.plan().actions.map(\.step) {
            #expect(from != spot.place)
        }
        #expect(try settled(world) == ["a/", "z/", "a/m=1", "z/n=2"])
    }

    @Test func whatIsNewHereKeepsTheNumberUnderWhichItMadeWay() throws {
        var world = try agreed(.write(.here, "z (1).txt", 1))
        world.moveThere("z (1).txt", to: "z.txt")
        world.write("z.txt", 2)
        #expect(try settled(world) == ["z.txt=1", "z (2).txt=2"])
    }

    /// The name here is the same but for its case, and so no other's.
    @Test func onADiskThatFoldsNamesANameThatDiffersInCaseAloneGoesAlong() throws {
        var world = try agreed(.makeFolder(.here, "b"))
        world.policy.disk = DiskTraits(spelling: .insensitive, tellsCaseApart: false)
        world.move("b", to: "hand")
        world.makeFolder("B")
        world.move("hand", to: "B/b")
        world.moveThere("b", to: "B")
        #expect(try settled(world) == ["B/", "B/B/"])
    }

    // MARK: - Numbers

    /// The number that one was given here was the name of another on the server: who got it depended on how far a plan had come.
    @Test func aNumberIsNeverTheNameThatAnotherHasForItsOwn() throws {
        var world = try agreed(.makeFolder(.here, "c"), .write(.here, "d.txt", 6))
        world.policy.deletions = .documents
        world.deleteThere("d.txt")
        world.writeThere("d (1).txt", 1)
        world.moveThere("c", to: "d.txt")
        var whole = world
        for action in whole.plan().actions { try whole.execute(action) }
        try world.settle()
        #expect(world.here == ["d.txt=6", "d (1).txt=1", "d (2).txt/"] && whole.here == world.here)
    }

    /// The first had come when its own name was not free yet, and took it a moment before the other came.
    @Test func onADiskThatFoldsNamesTheNameOfWhatIsSetAsideGoesToItsOtherVersion() throws {
        var world = PlannedWorld()
        world.policy.disk = DiskTraits(spelling: .insensitive, tellsCaseApart: false)
        world.policy.conflicts = .fork
        world.write("d.txt", 2)
        world.writeThere("D.txt", 3)
        world.writeThere("d.txt", 6)
        var whole = world
        for action in whole.plan().actions { try whole.execute(action) }
        try world.settle()
        #expect(world.here == ["D (1).txt=3", "d.txt=6", "d (2).txt=2"] && whole.here == world.here)
    }

    // MARK: - What stays here alone

    @Test func whatIsDeletedElsewhereInTheMiddleStaysUnderItsOwnName() throws {
        var world = try agreed(.write(.here, "a", 1), .write(.here, "b", 2))
        world.policy.deletions = .documents
        world.perform(.exchange(.there, "a", "b"))
        let first = try #require(world.plan().actions.first)
        guard case .moveLocal(_, let id?, _, _, _) = first.step else { return #expect(Bool(false), "\(first)") }
        try world.execute(first)
        world.remote.remove(id)
        try world.settle()
        #expect(world.here.allSatisfy { !$0.hasPrefix(".") } && world.here.count == 2, "\(world.here)")
        #expect(world.plan().actions.isEmpty)
    }
}
