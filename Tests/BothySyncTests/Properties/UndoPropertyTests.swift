import BothyContract
import BothySync
import Testing

/// What must hold when a pass is taken back: as many cases as `PlannerPropertyTests` has.
@Suite struct UndoPropertyTests {
    @Test func whatAPassDidIsTakenBackOnBothSides() { look(for: UndoLaws.check) }

    @Test func whatOthersChangedSinceIsLeftAlone() { look(for: UndoLaws.leavesOthersAlone) }

    @Test func aPassThatOthersCameBetweenIsTakenBackTwice() { look(for: UndoLaws.takesBackSeveralRounds) }

    @Test func takingBackThreeTimesIsTakingBackOnce() { look(for: UndoLaws.takesBackThrice) }

    /// On a tenth of the cases: each is cut off at every step, in three ways.
    @Test func anUndoingThatIsCutOffGoesOnWhereItWas() { look(for: UndoLaws.goesOn, share: 10) }

    /// The same: each of its steps fails once.
    @Test func anUndoingOfWhichSomethingFailedGoesOnWithThat() { look(for: UndoLaws.triesAgain, share: 10) }

    @Test func aDecisionThatIsTakenBackAsksAgain() { look(for: UndoLaws.asksAgain) }

    @Test func oneConflictOfAPassIsTakenBackWithoutTheOthers() { look(for: UndoLaws.takesOneConflictBack) }

    /// A folder that was moved out of another is to go back into what is a file by now.
    @Test func whatWasBrokenOnceHolds() {
        let planned = PlannedCase(seed: 1_797_020_878)
        let broken = PlannerPropertyTests.failure(of: planned, UndoLaws.takesBackSeveralRounds)
        #expect(broken.map { "\($0)" } == nil)
    }

    private func look(for law: (PlannedCase) throws -> Void, share: UInt64 = 1) {
        let first = PlannerPropertyTests.first
        for seed in first..<first + PlannerPropertyTests.count / share {
            let planned = PlannedCase(seed: seed)
            guard let broken = PlannerPropertyTests.failure(of: planned, law) else { continue }
            let small = PlannerPropertyTests.shrunk(planned, law)
            let still = PlannerPropertyTests.failure(of: small, law).map { "\($0)" } ?? ""
            Issue.record("seed \(seed): \(broken)\nshrunk to:\n\(small)\n\(still)")
            return
        }
    }
}

enum UndoLaws {
    static func check(_ planned: PlannedCase) throws {
        let start = try planned.world()
        var world = start
        world.policy.isLinking = planned.isLinking
        let taken = try pass(&world)
        let carried = world
        world.policy.isLinking = false
        let undone = world.undo(taken)
        if let refused = undone.refused.first { throw Broken("nobody has changed anything, and yet: \(refused)") }
        try isSame(world, start, "taken back")
        var again = world
        _ = again.undo(undone.reversed)
        try isSame(again, carried, "taken back twice")
        if planned.isLinking { return try nothingGoesOn(from: world, start) }
        let after = try pass(&world)
        try PlannerLaws.isAtRest(world)
        try PlannerLaws.nothingIsLost(start, world)
        try PlannerLaws.noFalseConflict(after.map { Action($0.step, .takenBack) }, planned)
        // A folder comes back on the server with edits that were never here.
        guard !undone.reversed.contains(where: \.isFolderRejoined) else { return }
        try theOtherSideFollows(start, world, planned)
    }

    /// What tied both sides is taken back: nothing that is absent by that counts as deleted, nor what is back as changed.
    private static func nothingGoesOn(from world: PlannedWorld, _ start: PlannedWorld) throws {
        guard there(world) == there(start) else {
            throw Broken("untied, the server had \(there(start)), and has \(there(world))")
        }
        var told = Guard.Circumstances()
        told.isLinkTakenBack = true
        let plan = Planner.plan(world.question, under: told)
        guard plan.actions.isEmpty, plan.sighting == .linkTakenBack else { throw Broken("it goes on: \(plan.actions)") }
    }

    /// After a pass that acted for one side alone, both are as the other was before it.
    private static func theOtherSideFollows(
        _ start: PlannedWorld, _ end: PlannedWorld, _ planned: PlannedCase
    ) throws {
        let sides = Set(planned.after.map(\.side))
        if sides == [.here], there(end) != there(start) {
            throw Broken("the server had \(there(start)), and has \(there(end))")
        }
        if sides == [.there], planned.deletions == .mirror, here(end) != here(start) {
            throw Broken("here was \(here(start)), and is \(here(end))")
        }
    }

    /// Others go on after the pass; then it is taken back.
    static func leavesOthersAlone(_ planned: PlannedCase) throws {
        guard planned.after.count > 1 else { return }
        var first = planned
        first.after = Array(planned.after.prefix(planned.after.count / 2))
        var world = try first.world()
        world.policy.isLinking = planned.isLinking
        let taken = try pass(&world)
        let carried = contents(world)
        for deed in planned.after.suffix(planned.after.count - first.after.count) { world.perform(deed) }
        let changed = world
        _ = world.undo(taken)
        for edit in contents(changed).subtracting(carried).subtracting(contents(world)) {
            throw Broken("taking back took the edit \(edit.hex.prefix(4)), which came after it")
        }
        world.policy.isLinking = false
        _ = try pass(&world)
        try PlannerLaws.isAtRest(world)
        try PlannerLaws.nothingIsLost(changed, world)
    }

    /// Others go on while the pass is under way, so that it has several rounds; nobody does after it.
    static func takesBackSeveralRounds(_ planned: PlannedCase) throws {
        guard planned.after.count > 1 else { return }
        var first = planned
        first.after = Array(planned.after.prefix(planned.after.count / 2))
        let start = try first.world()
        var world = start
        world.policy.isLinking = planned.isLinking
        var taken = try pass(&world)
        for deed in planned.after.suffix(planned.after.count - first.after.count) { world.perform(deed) }
        taken += try pass(&world)
        let carried = world
        world.policy.isLinking = false
        let undone = world.undo(taken)
        var again = world
        _ = again.undo(undone.reversed)
        try isSame(again, carried, "taken back twice")
        _ = try pass(&world)
        try PlannerLaws.isAtRest(world)
        try PlannerLaws.nothingIsLost(carried, world)
    }

    /// Also where a pass came in between and had nothing to carry.
    static func takesBackThrice(_ planned: PlannedCase) throws {
        guard !planned.isLinking else { return }
        var carried = try planned.world()
        let taken = try pass(&carried)
        var once = carried
        let first = once.undo(taken)
        var twice = once
        let second = twice.undo(first.reversed)
        guard first.refused.isEmpty, second.refused.isEmpty else { return }
        var rested = twice
        let isAtRest = try pass(&rested).allSatisfy(\.step.isBookkeeping)
        for var thrice in isAtRest ? [twice, rested] : [twice] {
            if let refused = thrice.undo(second.reversed).refused.first {
                throw Broken("nobody has changed anything, and yet: \(refused)")
            }
            try isSame(thrice, once, "taken back three times")
            var after = once
            _ = try pass(&after)
            _ = try pass(&thrice)
            try isSame(thrice, after, "taken back three times, and carried")
        }
    }

    /// A pass that nobody has changed anything about since, taken back in one go.
    private struct WholeUndoing {
        /// Before it.
        let carried: PlannedWorld
        let taken: [TakenStep]
        /// After it.
        let whole: PlannedWorld
        let reversed: [TakenStep]

        /// - Returns: nil where something is refused.
        init?(_ planned: PlannedCase) throws {
            var carried = try planned.world()
            carried.policy.isLinking = planned.isLinking
            taken = try pass(&carried)
            self.carried = carried
            var whole = carried
            let undone = whole.undo(taken)
            guard undone.refused.isEmpty else { return nil }
            self.whole = whole
            reversed = undone.reversed
        }
    }

    /// Wherever it was cut off, and whatever of the step that it was in had been done by then.
    static func goesOn(_ planned: PlannedCase) throws {
        guard let undoing = try WholeUndoing(planned) else { return }
        let (carried, taken, whole) = (undoing.carried, undoing.taken, undoing.whole)
        for moment in CutOff.Moment.allCases {
            for count in undoing.reversed.indices {
                var (world, begun) = (carried, Undoing.Begun())
                _ = world.undo(taken, begun: &begun, cutOff: CutOff(count: count, moment: moment))
                if let refused = try world.goOn(taken, from: begun).first {
                    throw Broken("cut off \(moment) after \(count), nobody has changed anything, and yet: \(refused)")
                }
                try isSame(world, whole, "cut off \(moment) after \(count)")
                guard !planned.isLinking else { continue }
                world.policy.isLinking = false
                var end = whole
                end.policy.isLinking = false
                _ = try pass(&world)
                _ = try pass(&end)
                try PlannerLaws.isAtRest(world)
                try isSame(world, end, "cut off \(moment) after \(count), and carried")
            }
        }
    }

    /// Whichever step fails by itself, what is left is taken back at the next try, and nothing is said to have changed.
    static func triesAgain(_ planned: PlannedCase) throws {
        guard let undoing = try WholeUndoing(planned) else { return }
        let (carried, taken, whole) = (undoing.carried, undoing.taken, undoing.whole)
        for count in undoing.reversed.indices {
            var (world, begun) = (carried, Undoing.Begun())
            let first = world.undo(taken, begun: &begun, failing: count)
            let left = begun
            let second = world.undo(taken, begun: &begun)
            if let refused = (first.refused + second.refused).first {
                throw Broken("the one after \(count) failed, nobody has changed anything, and yet: \(refused)")
            }
            try isSame(world, whole, "after \(count) one failed, and was tried again")
            guard !left.failed.isEmpty else { throw Broken("after \(count) one failed, and nothing was left") }
            var again = world
            _ = again.undo(first.reversed + second.reversed)
            try isSame(again, carried, "after \(count) one failed, was tried again, and all of it taken back")
        }
    }

    /// A person decides all conflicts one way, or the folder's policy does, and that is taken back.
    static func asksAgain(_ planned: PlannedCase) throws {
        var asking = planned
        asking.conflicts = .ask
        var start = try asking.world()
        _ = try pass(&start)
        let waiting = conflicts(start)
        guard !planned.isLinking, !waiting.isEmpty else { return }
        let chosen = Choice.Side.allCases.map { side in
            waiting.mapValues { Choice.keep(side, mine: $0.mine, theirs: $0.theirs) }
        }
        let policies = ConflictResolution.allCases.filter { $0 != .ask }
        let ways = chosen.map { (ConflictResolution.ask, $0) } + policies.map { ($0, [:]) }
        for way in ways {
            var world = start
            (world.policy.conflicts, world.policy.choices) = way
            let taken = try pass(&world)
            world.policy.choices = [:]
            if let refused = world.undo(taken).refused.first {
                throw Broken("nobody has changed anything, and yet: \(refused)")
            }
            for when in ["at once", "after a pass"] {
                guard conflicts(world) == waiting, there(world) == there(start) else {
                    throw Broken(
                        "\(way) taken back, \(when) waits \(conflicts(world)) with \(there(world)), before \(waiting) with \(there(start))"
                    )
                }
                _ = try pass(&world)
            }
            try PlannerLaws.nothingIsLost(start, world)
        }
    }

    /// A pass decided several; each by itself is taken back, and then the rest.
    static func takesOneConflictBack(_ planned: PlannedCase) throws {
        var asking = planned
        asking.conflicts = .ask
        var start = try asking.world()
        _ = try pass(&start)
        let waiting = conflicts(start)
        guard !planned.isLinking, waiting.count > 1 else { return }
        for policy in ConflictResolution.allCases where policy != .ask {
            var decided = start
            decided.policy.conflicts = policy
            let taken = try pass(&decided)
            for place in waiting.keys {
                let index = taken.firstIndex { $0.step.places.contains(place) && $0.reason?.decidesAConflict == true }
                guard let index else { throw Broken("nothing decided about \(place) by \(policy)") }
                let together = Undoing.together(with: index, in: taken)
                var world = decided
                let refused = world.undo(together.sorted().map { taken[$0] }).refused
                guard refused.isEmpty else { throw Broken("nobody has changed anything, and yet: \(refused)") }
                for when in ["at once", "after a pass"] {
                    guard conflicts(world) == [place: waiting[place]!] else {
                        throw Broken("\(place) by \(policy) taken back, \(when) waits \(conflicts(world))")
                    }
                    _ = try pass(&world)
                }
                _ = world.undo(taken.indices.filter { !together.contains($0) }.map { taken[$0] })
                guard conflicts(world) == waiting, there(world) == there(start) else {
                    throw Broken("\(place) by \(policy) and the rest taken back, waits \(conflicts(world))")
                }
                try PlannerLaws.nothingIsLost(start, world)
            }
        }
    }

    private struct Versions: Equatable {
        var mine: ContentHash?
        var theirs: ContentHash?
    }

    private static func conflicts(_ world: PlannedWorld) -> [Place: Versions] {
        world.plan().standing.compactMapValues { standing in
            guard case .conflict(let mine, let theirs) = standing else { return nil }
            return Versions(mine: mine.hash, theirs: theirs.checksum)
        }
    }

    private static func pass(_ world: inout PlannedWorld) throws -> [TakenStep] {
        var taken: [TakenStep] = []
        while let action = world.plan().actions.first {
            guard taken.count < PlannerLaws.mostSteps else { throw Broken("no rest") }
            taken.append(try world.take(action))
        }
        return taken
    }

    // MARK: - Looking

    private static func isSame(_ world: PlannedWorld, _ other: PlannedWorld, _ what: String) throws {
        guard here(world) == here(other) else {
            throw Broken("\(what), here is \(here(world)), and was \(here(other))")
        }
        let isThere = there(world)
        for item in there(other) where !isThere.contains(item) {
            throw Broken("\(what), the server lacks \(item): \(isThere), and had \(there(other))")
        }
    }

    private static func here(_ world: PlannedWorld) -> Set<String> {
        Set(
            world.local.tree.subtree(of: .root).map {
                "\(world.local.tree.place(of: $0)) \(world.local[$0].hash?.hex.prefix(4) ?? "/")"
            })
    }

    private static func there(_ world: PlannedWorld) -> Set<String> {
        Set(
            world.remote.tree.subtree(of: .root).map {
                "\(world.remote.tree.place(of: $0)) \(world.remote[$0].checksum?.hex.prefix(4) ?? "/")"
            })
    }

    private static func contents(_ world: PlannedWorld) -> Set<ContentHash> {
        Set(world.local.tree.subtree(of: .root).compactMap { world.local[$0].hash })
            .union(world.remote.tree.subtree(of: .root).compactMap { world.remote[$0].checksum })
    }
}

extension TakenStep {
    fileprivate var isFolderRejoined: Bool {
        if case .rejoinThere(_, _, nil, _) = reversal { true } else { false }
    }
}
