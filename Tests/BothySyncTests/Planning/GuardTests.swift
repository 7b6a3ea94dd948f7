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

    /// One word lets both sides go, so that both are counted before it is said.
    @Test func whatWouldGoOnBothSidesIsToldAsOne() throws {
        var world = try world(files: 120)
        for index in 1...60 { world.delete(Place(text: "docs/\(index)")) }
        for index in 61...115 { world.deleteThere(Place(text: "docs/\(index)")) }
        let held = Planner.plan(world.question, under: told())
        let here = Guard.Tally(planned: 55, lately: 0, known: 121)
        let there = Guard.Tally(planned: 60, lately: 0, known: 121)
        #expect(held.sighting == .manyDeletions(.here, here, other: there))
        #expect(held.isEmpty && held.held == [.here, .onTheServer])
        let seen = try #require(held.sighting)
        #expect(
            seen.words == "55 of 121 files and folders would be deleted from this folder, and 60 of 121 files and "
                + "folders would be deleted on the server. Bothy asks above 50 a day, or from a quarter of a folder")
        // Who confirmed one side said nothing of the other.
        let half = Planner.plan(world.question, under: told(confirmed: [seen.sides[0]]))
        #expect(half.sighting == .manyDeletions(.onTheServer, there) && half.actions.count == 55)
        let all = Planner.plan(world.question, under: told(confirmed: Set(seen.sides)))
        #expect(all.sighting == nil && all.actions.count == 115)
        // Whoever was told of both knows of each of them, and not the other way.
        #expect(seen.sides.allSatisfy { $0.isKnown(from: seen) && !seen.isKnown(from: $0) })
        #expect(seen.isKnown(from: seen))
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

    /// The place is that of the folder above, wherever that went: its name is no other one's there either.
    @Test func whatStandsInThePlaceOfAHeldFolderKeepsItsName_alsoWhereAFolderAboveIsMoved() throws {
        for isMoved in [false, true] {
            var world = try world(files: 60)
            world.makeFolder("box")
            world.move("docs", to: "box/docs")
            world.write("other", 98)
            try world.settle()
            world.delete("box/docs")
            if isMoved { world.move("other", to: "box/docs") } else { world.write("box/docs", 99) }
            world.move("box", to: "case")
            let plan = Planner.plan(world.question, under: told())
            #expect(plan.actions.outlines == ["moveRemote case"], "\(plan.actions.outlines)")
            for action in plan.actions { try world.execute(action) }
            let seen = try #require(plan.sighting)
            let confirmed = Planner.plan(world.question, under: told(confirmed: [seen]))
            for action in confirmed.actions { try world.execute(action) }
            let expected: Set = isMoved ? ["case/", "case/docs=98"] : ["case/", "case/docs=99", "other=98"]
            #expect(world.here == expected && world.there == expected, "\(world.there)")
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

    /// As much again, or less, is no news; more is, and so is the other side, or another sighting.
    @Test func whoWasToldOfASightingKnowsNoMoreThanThat() {
        func deletions(_ planned: Int, _ side: Guard.Direction = .here) -> Guard.Sighting {
            .manyDeletions(side, Guard.Tally(planned: planned, lately: 0, known: 100))
        }
        #expect(deletions(60).isKnown(from: deletions(60)) && deletions(59).isKnown(from: deletions(60)))
        #expect(!deletions(61).isKnown(from: deletions(60)))
        #expect(!deletions(60).isKnown(from: deletions(60, .onTheServer)))
        #expect(!deletions(60).isKnown(from: .rootEmptied) && !Guard.Sighting.rootEmptied.isKnown(from: deletions(60)))
        #expect(Guard.Sighting.rootEmptied.isKnown(from: .rootEmptied))
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

    /// Files that both sides changed, where the last write wins: what is here would go over what its person has not seen.
    private func overwriting(_ numbers: ClosedRange<Int>, in world: inout PlannedWorld) {
        world.policy.conflicts = .lastWriteWins
        for number in numbers {
            world.write(Place(text: "docs/\(number)"), 1000 + number)
            world.writeThere(Place(text: "docs/\(number)"), 2000 + number)
        }
    }

    @Test func overwritesAreHeldAsDeletionsAre() throws {
        var world = try world(files: 60)
        overwriting(1...55, in: &world)
        world.write("docs/60", 70)
        var told = told()
        let plan = Planner.plan(world.question, under: told)
        #expect(
            plan.sighting
                == .manyDeletions(.onTheServer, Guard.Tally(planned: 55, overwritten: 55, lately: 0, known: 61)))
        #expect(plan.actions.outlines == ["upload docs/60"] && plan.standing["docs/7"] == .held(.guarded))
        told.held = plan.held
        // Fewer of them are nobody's word either.
        for number in 11...55 { world.writeThere(Place(text: "docs/\(number)"), 1000 + number) }
        let fewer = Planner.plan(world.question, under: told)
        #expect(Guard.count(fewer.actions, .onTheServer) == 0 && fewer.standing["docs/7"] == .held(.guarded))
        told.confirmed = [try #require(fewer.sighting)]
        let confirmed = Planner.plan(world.question, under: told)
        #expect(Guard.count(confirmed.actions, .onTheServer) == 10 && confirmed.held.isEmpty)
    }

    @Test func whileDeletionsAreHeldNothingIsOverwritten() throws {
        var world = try world(files: 60)
        overwriting(60...60, in: &world)
        #expect(Planner.plan(world.question, under: told()).actions.outlines == ["upload docs/60"])
        for number in 1...20 { world.delete(Place(text: "docs/\(number)")) }
        let plan = Planner.plan(world.question, under: told())
        #expect(
            plan.sighting
                == .manyDeletions(.onTheServer, Guard.Tally(planned: 21, overwritten: 1, lately: 0, known: 61)))
        #expect(plan.isEmpty && plan.standing["docs/60"] == .held(.guarded), "\(plan.actions.outlines)")
    }

    /// Who agreed to overwrites has not agreed to deletions.
    @Test func aWordAboutOverwritesIsNoneAboutDeletions() throws {
        var world = try world(files: 60)
        for number in 1...55 { world.delete(Place(text: "docs/\(number)")) }
        let seen = Guard.Tally(planned: 55, overwritten: 55, lately: 0, known: 61)
        let plan = Planner.plan(world.question, under: told(confirmed: [.manyDeletions(.onTheServer, seen)]))
        #expect(plan.isEmpty && plan.sighting != nil)
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

    @Test func whoTiesAnEmptyFolderIsAskedNothing() throws {
        var world = try world(files: 3)
        world.delete("docs")
        var (question, told) = (world.question, told())
        question.policy.isLinking = true
        told.isNewlyTied = true
        let plan = Planner.plan(question, under: told)
        #expect(plan.sighting == nil && plan.actions.outlines.first == "makeLocalFolder docs")
    }

    /// It said “the folder is empty, and was not” of a full one.
    @Test func aFolderOfWhichARuleLeavesOutEverythingIsNotEmpty() throws {
        var world = try world(files: 3)
        world.delete("docs")
        world.local.leftOut = ["docs"]
        #expect(Planner.plan(world.question, under: told()).sighting != .rootEmptied)
        world.local.leftOut = ["of no concern"]
        #expect(Planner.plan(world.question, under: told()).sighting == .rootEmptied)
    }

    /// A look in the middle of `rm *` sees a few: they wait until it is through, and then a guard sees them all.
    @Test func aGuardSeesAllOfABurst() throws {
        var world = try world(files: 60)
        var told = told()
        var lulls = DeletionLulls()
        func plan(at uptime: Double) -> Plan {
            told.lulls = lulls.at(uptime)
            let plan = Planner.plan(world.question, under: told)
            lulls = plan.lulls ?? lulls
            return plan
        }
        world.delete("docs/1")
        world.write("other", 99)
        let first = plan(at: 10)
        #expect(first.actions.outlines == ["upload other"] && first.sighting == nil)
        #expect(first.waitsForMore && first.standing["docs/1"] == .held(.justDeleted))
        for index in 2...20 { world.delete(Place(text: "docs/\(index)")) }
        #expect(plan(at: 10.3).actions.outlines == ["upload other"])
        let all = plan(at: 10.9)
        #expect(all.sighting == .manyDeletions(.onTheServer, Guard.Tally(planned: 20, lately: 0, known: 61)))
        #expect(all.actions.outlines == ["upload other"] && all.standing["docs/1"] == .held(.guarded))
    }

    /// What another device deletes comes as it deletes it: a guard that sees the first of them alone would let them go.
    @Test func aGuardSeesAllOfABurstFromElsewhere() throws {
        var world = try world(files: 60)
        var told = told()
        var lulls = DeletionLulls()
        func plan(at uptime: Double) -> Plan {
            told.lulls = lulls.at(uptime)
            let plan = Planner.plan(world.question, under: told)
            lulls = plan.lulls ?? lulls
            return plan
        }
        world.deleteThere("docs/1")
        let first = plan(at: 10)
        #expect(first.isEmpty && first.waitsForMore && first.standing["docs/1"] == .held(.justDeleted))
        for index in 2...20 { world.deleteThere(Place(text: "docs/\(index)")) }
        #expect(plan(at: 10.2).isEmpty)
        let all = plan(at: 10.5)
        #expect(all.sighting == .manyDeletions(.here, Guard.Tally(planned: 20, lately: 0, known: 61)))
        #expect(all.isEmpty && all.held == [.here])
    }

    @Test func oneDeletionFromElsewhereWaitsAQuarterOfASecond() throws {
        var world = try world(files: 60)
        world.deleteThere("docs/1")
        var told = told()
        told.lulls = DeletionLulls().at(10)
        let waiting = Planner.plan(world.question, under: told)
        #expect(waiting.lulls?.secondsLeft == DeletionLull.quietFromElsewhere)
        told.lulls = waiting.lulls?.at(10.25)
        #expect(Planner.plan(world.question, under: told).actions.outlines == ["trashLocal docs/1"])
    }

    /// What is made in the place of a folder that has just been deleted waits with it, and keeps its name.
    @Test func whatComesIntoThePlaceOfAFolderThatWasJustDeletedWaitsWithIt() throws {
        var world = try world(files: 10)
        world.write("other", 98)
        try world.settle()
        world.delete("docs")
        world.write("docs", 99)
        var told = told()
        told.lulls = DeletionLulls().at(10)
        let plan = Planner.plan(world.question, under: told)
        #expect(plan.isEmpty && plan.standing["docs"] == .held(.justDeleted), "\(plan.actions.outlines)")
        told.lulls = plan.lulls?.at(10.6)
        #expect(Set(Planner.plan(world.question, under: told).actions.outlines) == ["trashRemote docs", "upload docs"])
    }

    // MARK: What is held stays held

    /// The disk has lost everything, and then a program writes a file into what is left.
    @Test func aFileThatComesIntoAnEmptiedFolderLetsNothingGo() throws {
        var world = try world(files: 11)
        world.delete("docs")
        var told = told()
        let emptied = Planner.plan(world.question, under: told)
        #expect(emptied.sighting == .rootEmptied && emptied.held == [.onTheServer])
        told.held = emptied.held
        world.write("new", 99)
        for _ in 1...2 {
            let plan = Planner.plan(world.question, under: told)
            #expect(plan.sighting == .manyDeletions(.onTheServer, Guard.Tally(planned: 12, lately: 0, known: 12)))
            #expect(plan.actions.outlines == ["upload new"] && plan.held == [.onTheServer])
            told.held = plan.held
        }
        world.makeFolder("docs")
        world.write("docs/1", 1)
        let plan = Planner.plan(world.question, under: told)
        #expect(plan.held == [.onTheServer] && Guard.count(plan.actions, .onTheServer) == 0, "\(plan.actions.outlines)")
    }

    /// Nobody has looked since it was emptied: it is not empty any more, and yet nothing of what was in it is left.
    @Test func aFolderInWhichNothingIsLeftOfWhatWasThereIsAskedAbout_howeverSmall() throws {
        var world = try world(files: 3)
        world.delete("docs")
        world.write("new", 99)
        let seen = Guard.Sighting.manyDeletions(.onTheServer, Guard.Tally(planned: 4, lately: 0, known: 4))
        #expect(Planner.plan(world.question, under: told()).sighting == seen)
        let confirmed = Planner.plan(world.question, under: told(confirmed: [seen]))
        #expect(Set(confirmed.actions.outlines) == ["trashRemote docs", "upload new"] && confirmed.held.isEmpty)
    }

    /// It becomes a small part of a tree that grows, or a day goes by: nobody has said yes.
    @Test(arguments: Guard.Direction.allCases)
    func whatIsHeldStaysHeld_whateverElseChanges(_ side: Guard.Direction) throws {
        var world = try world(files: 60)
        func delete(_ numbers: ClosedRange<Int>) {
            for number in numbers {
                let place = Place(text: "docs/\(number)")
                if side == .here { world.deleteThere(place) } else { world.delete(place) }
            }
        }
        delete(1...20)
        var told = told()
        let first = Planner.plan(world.question, under: told)
        #expect(first.held == [side] && first.isEmpty)
        told.held = first.held
        for number in 100...300 { world.write(Place(text: "docs/\(number)"), number) }
        for action in Planner.plan(world.question, under: told).actions { try world.execute(action) }
        delete(21...21)
        let plan = Planner.plan(world.question, under: told)
        #expect(plan.sighting == .manyDeletions(side, Guard.Tally(planned: 21, lately: 0, known: 262)))
        #expect(plan.isEmpty && plan.standing["docs/21"] == .held(.guarded), "what joins it is held with it")
        told.confirmed = [try #require(plan.sighting)]
        let confirmed = Planner.plan(world.question, under: told)
        #expect(confirmed.actions.count == 21 && confirmed.held.isEmpty)
    }

    /// One file that nobody may read made every single deletion be asked about from then on.
    @Test func whatWasAnsweredIsHeldNoLonger_whateverElseCannotBeLookedAt() throws {
        var world = try world(files: 60)
        world.write("mine", 99)
        let mine = try #require(world.local.node(at: "mine"))
        world.local.tree[mine].condition = .unreadable
        for number in 1...20 { world.delete(Place(text: "docs/\(number)")) }
        var told = told()
        let first = Planner.plan(world.question, under: told)
        told.held = first.held
        told.confirmed = [try #require(first.sighting)]
        let confirmed = Planner.plan(world.question, under: told)
        #expect(confirmed.actions.count == 20 && confirmed.held.isEmpty)
        for action in confirmed.actions { try world.execute(action) }
        (told.held, told.confirmed) = (confirmed.held, [])
        world.delete("docs/30")
        #expect(Planner.plan(world.question, under: told).actions.outlines == ["trashRemote docs/30"])
    }

    /// Who puts it back is not asked about the next small thing.
    @Test func whatIsThereAgainIsHeldNoLonger() throws {
        var world = try world(files: 60)
        let before = world
        world.delete("docs")
        world.write("left", 99)
        var told = told()
        told.held = Planner.plan(world.question, under: told).held
        #expect(told.held == [.onTheServer])
        world = before
        told.held = Planner.plan(world.question, under: told).held
        #expect(told.held.isEmpty)
        world.delete("docs/1")
        #expect(Planner.plan(world.question, under: told).actions.outlines == ["trashRemote docs/1"])
    }

    /// Nobody can look into its folder for a moment: that is no sign that it is there again.
    @Test func whatCannotBeLookedAtIsHeldOn() throws {
        var world = try world(files: 60)
        for number in 1...20 { world.delete(Place(text: "docs/\(number)")) }
        var told = told()
        told.held = Planner.plan(world.question, under: told).held
        let docs = try #require(world.local.node(at: "docs"))
        world.local.tree[docs].condition = .unreadable
        told.held = Planner.plan(world.question, under: told).held
        #expect(told.held == [.onTheServer])
    }

    /// More is deleted beside it, and waits for what else goes: that is no moment in which what was held is forgotten.
    @Test func whatIsHeldIsHeldOnWhileMoreIsDeleted() throws {
        var world = try world(files: 60)
        world.delete("docs/1")
        var told = told()
        (told.held, told.lulls) = ([.onTheServer], DeletionLulls().at(10))
        let waiting = Planner.plan(world.question, under: told)
        #expect(waiting.isEmpty && waiting.waitsForMore && waiting.held == [.onTheServer])
        (told.held, told.lulls) = (waiting.held, waiting.lulls?.at(11))
        let plan = Planner.plan(world.question, under: told)
        #expect(plan.sighting != nil && plan.standing["docs/1"] == .held(.guarded) && plan.isEmpty)
    }
}
