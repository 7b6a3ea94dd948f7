import BothyClient
import BothyContract
import Testing

@testable import BothySync

/// Each cause that `why` names is brought about by something: by what people do on both sides, by what a disk or a server is like, or by what
/// was done before. One that nothing brings about is a word too many, or a state that was forgotten.
@Suite struct ReachedCausesTests {
    @Test func everyCauseIsReached() throws {
        var reached = ReachedCauses()
        try reached.lookAtCases()
        try reached.lookAtDecisions()
        try reached.lookAtWhatWasTakenBack()
        try reached.lookAtChoices()
        try reached.lookAtPastOnes()
        try reached.lookAtTheDisk()
        reached.lookAtTheServer()
        try reached.lookAtGuards()
        let missing = ItemStatus.Cause.every.filter { !reached.has($0) }
        #expect(missing.isEmpty, "nothing brings these about")
        #expect(reached.strangers.isEmpty, "these are told, and in no list")
        #expect(reached.lies.isEmpty)
    }
}

extension PlannedWorld {
    /// Everything that either side has, or both agreed on, wherever it is below others.
    fileprivate var places: Set<Place> {
        Set(local.tree.subtree(of: .root).map { local.tree.place(of: $0) })
            .union(synced.tree.subtree(of: .root).map { synced.tree.place(of: $0) })
            .union(remote.tree.subtree(of: .root).map { remote.tree.place(of: $0) })
    }

    /// What is wrong about a cause, where it says that something is the same on both sides, or nowhere.
    fileprivate func lie(_ cause: ItemStatus.Cause, at place: Place) -> String? {
        let (mine, agreed) = (local.facts(at: place), synced.facts(at: place))
        switch cause {
        case .atRest:
            let theirs = agreed.flatMap { remote.facts($0.remoteId) }
            guard let mine, let theirs else { return "\(place) is in step, and not on both sides:" }
            return mine.hash == theirs.checksum ? nil : "\(place) is in step, and not the same:"
        case .unknown:
            // A name that the server has for what this disk holds under another.
            let isNewThere = remote.tree.node(at: place).map { synced.node(remote[$0].id) == nil } ?? false
            return mine == nil && agreed == nil && !isNewThere ? nil : "\(place) is unknown, and somewhere:"
        default: return nil
        }
    }
}

/// What was met of causes, each by its kind, and by its reason where it has one.
private struct ReachedCauses {
    private var keys: Set<String> = []
    /// What was said to be in step and is not, or to be nowhere and is somewhere: the first few.
    private(set) var lies: [String] = []
    private static let mostLies = 10

    /// Of guards their kinds count, and no numbers; of rules and places any.
    private static func key(_ cause: ItemStatus.Cause) -> String {
        switch cause {
        case .planned(let reason), .along(_, let reason), .gone(let reason): "\(cause.kind) \(reason.rawValue)"
        case .unsynced(let reason): "\(cause.kind) \(reason.rawValue)"
        case .held(let reason): "\(cause.kind) \(reason.rawValue)"
        case .guarded(let sighting): "\(cause.kind) \(sighting.kind)"
        case .atRest, .conflict, .leftOut, .moved, .own, .unknown, .onTheServer, .outside: "\(cause.kind)"
        }
    }

    /// What was met and is not among all that can be the case.
    var strangers: Set<String> { keys.subtracting(ItemStatus.Cause.every.map(Self.key)) }

    func has(_ cause: ItemStatus.Cause) -> Bool { keys.contains(Self.key(cause)) }

    private mutating func note(_ cause: ItemStatus.Cause) { keys.insert(Self.key(cause)) }

    // MARK: - Looking

    /// All that a plan says of any place that it knows or that somebody might ask about.
    private mutating func note(
        _ plan: Plan, of world: PlannedWorld, after done: [Decision] = [], at asked: Set<Place> = []
    ) {
        let whereabouts = world.whereabouts
        let places = Set(plan.standing.keys).union(plan.actions.flatMap(\.places)).union(asked)
        for place in places {
            let decisions = done.filter { $0.places.contains { place.isWithin($0) || $0 == place } }
            let cause = plan.status(of: place, in: whereabouts, after: decisions).cause
            note(cause)
            if lies.count < Self.mostLies, let lie = world.lie(cause, at: place) {
                lies.append("\(lie) \(plan.actions.map(\.step)) \(plan.standing)")
            }
        }
    }

    /// Carries all out, looking at each step, and then asks about all places that were about something before or since.
    ///
    /// - Parameter before: what was done until then, the newest first.
    /// - Returns: what was taken, and what was done in all.
    @discardableResult
    private mutating func carry(
        _ world: inout PlannedWorld, after before: [Decision] = []
    ) throws -> (taken: [TakenStep], done: [Decision]) {
        let places = world.synced.tree.subtree(of: .root).dropFirst().map { world.synced.tree.place(of: $0) }
        var (taken, done): ([TakenStep], [Decision]) = ([], before)
        while taken.count < PlannerLaws.mostSteps {
            let plan = world.plan()
            // Below what is to go somewhere, too; on the way, of what is named alone.
            note(plan, of: world, at: taken.isEmpty ? world.places : [])
            guard let action = plan.actions.first else { break }
            let step = try world.take(action)
            taken.append(step)
            let trace = Decision.Trace(remoteId: step.remoteId, keep: step.keep)
            let decision = Decision(
                id: Int64(done.count + 1), passId: 1, at: Timestamp(seconds: 1), action: action, trace: trace)
            done.insert(decision, at: 0)
        }
        note(world.plan(), of: world, after: done, at: world.places.union(places + done.flatMap(\.places)))
        return (taken, done)
    }

    private func agreed(_ deeds: Deed...) throws -> PlannedWorld { try PlannedCase(before: deeds, after: []).world() }

    // MARK: - What people do

    private static let cases: UInt64 = 1_500

    mutating func lookAtCases() throws {
        let folding = DiskTraits(spelling: .insensitive, tellsCaseApart: false)
        for seed in 0..<Self.cases {
            for planned in [
                PlannedCase(seed: seed), PlannedCase(seed: seed, disk: folding),
                PlannedCase(seed: seed, hasLinks: true),
            ] {
                var world = try planned.world()
                world.policy.isLinking = planned.isLinking
                try carry(&world)
            }
        }
    }

    /// A person decides about what waits.
    mutating func lookAtChoices() throws {
        for side in Choice.Side.allCases {
            var world = try agreed(.write(.here, "a", 1))
            world.policy.conflicts = .ask
            world.write("a", 2)
            world.writeThere("a", 3)
            world.policy.choices["a"] = .keep(side, mine: PlannedWorld.hash(2), theirs: PlannedWorld.hash(3))
            try carry(&world)
        }
        var confirmed = try agreed(.makeFolder(.here, "d"), .write(.here, "d/x", 1))
        confirmed.policy.deletions = .documents
        confirmed.deleteThere("d")
        try carry(&confirmed)
        confirmed.policy.choices["d"] = .confirmDeletion
        try carry(&confirmed)
        for choice in [Choice.confirmDeletion, .sendAgain] {
            var world = try agreed(.write(.here, "a", 1))
            world.policy.deletions = .documents
            world.deleteThere("a")
            try carry(&world)
            world.policy.choices["a"] = choice
            try carry(&world)
        }
    }

    mutating func lookAtDecisions() throws {
        var world = try agreed(.write(.here, "agreed", 1))
        note(world.plan(), of: world, at: ["agreed", "nowhere", ".bothy/trash"])
        note(.elsewhere(world.id("agreed")))
        note(.elsewhere(nil))
        world.makeFolder("build")
        world.write("build/a.o", 2)
        try carry(&world)
        world.rules.setFile("build/", in: .root)
        let done = try carry(&world).done
        world.delete("build")
        world.deleteThere("build")
        try carry(&world, after: done)

        var alike = try agreed(.write(.here, "a", 1))
        alike.move("a", to: "b")
        alike.moveThere("a", to: "b")
        try carry(&alike)

        var apart = try agreed(.makeFolder(.here, "d"), .write(.here, "d/x", 1))
        apart.move("d", to: "e")
        apart.moveThere("d", to: "f")
        try carry(&apart)

        var nowhere = try agreed(.makeFolder(.here, "d"), .write(.here, "d/x", 1))
        nowhere.delete("d")
        nowhere.deleteThere("d")
        try carry(&nowhere)

        var crossed = try agreed(.makeFolder(.here, "a"), .makeFolder(.here, "b"), .write(.here, "a/x", 1))
        crossed.move("a", to: "b/a")
        crossed.moveThere("b", to: "a/b")
        try carry(&crossed)
    }

    mutating func lookAtWhatWasTakenBack() throws {
        var world = try agreed(.write(.here, "old", 1))
        world.write("new", 2)
        world.writeThere("theirs", 3)
        let taken = try carry(&world).taken
        let undone = world.undo(taken).reversed
        try carry(&world)
        let done = undone.enumerated().reversed().map { index, step in
            Decision(
                id: Int64(index + 1), passId: 2, at: Timestamp(seconds: 2), action: Action(step.step, .takenBack),
                trace: Decision.Trace(remoteId: step.remoteId, reversal: step.reversal))
        }
        note(world.plan(), of: world, after: done, at: ["new", "theirs"])
    }

    // MARK: - What was before

    /// Linked anew, the server remembers what was deleted, or has been put back to a time before.
    mutating func lookAtPastOnes() throws {
        var away = try agreed(.write(.here, "old", 1))
        away.memory.remember(try #require(away.id("old")), at: "old", kind: .file, checksum: PlannedWorld.hash(1))
        away.deleteThere("old")
        away.synced = SyncedTree(rootId: "root")
        away.policy.isLinking = true
        try carry(&away)

        var back = try agreed(.write(.here, "a", 1))
        let backup = back.remote
        back.write("a", 2)
        back.write("b", 3)
        try carry(&back)
        back.remote = backup
        back.policy.isLinking = true
        try carry(&back)

        var kept = try agreed(.write(.here, "a", 1))
        kept.policy.deletions = .documents
        let there = kept.remote
        kept.deleteThere("a")
        try carry(&kept)
        kept.remote = there
        try carry(&kept)

        var holding = try agreed(.makeFolder(.here, "d"), .write(.here, "d/x", 1))
        holding.rules.setFile("*.o", in: .root)
        holding.write("d/a.o", 7)
        holding.deleteThere("d")
        try carry(&holding)
    }

    // MARK: - What the disk is like

    mutating func lookAtTheDisk() throws {
        for condition in [LocalCondition.beingWritten, .unreadable] {
            var world = try agreed(.write(.here, "a", 1))
            world.write("a", 2)
            world.change("a") { $0.condition = condition }
            try carry(&world)
        }
        var unread = try agreed(.write(.here, "a", 1))
        unread.write("a", 2)
        unread.change("a") { $0.hash = nil }
        try carry(&unread)

        var touched = try agreed(.write(.here, "a", 1))
        touched.change("a") { $0.stamp.inode += 100 }
        try carry(&touched)

        var reserved = try agreed(.write(.here, "a", 1))
        let stamp = try #require(reserved.local.facts(at: "a")).stamp
        reserved.delete("a")
        reserved.local.specials[".a.0123456789ab.bothy-part"] = .partName
        reserved.local.noteUnspelled(stamp, at: ".a.0123456789ab.bothy-part")
        try carry(&reserved)

        var seen = FolderScan.Seen(local: LocalTree(), rules: .none)
        for kind in SpecialKind.allCases { seen.local.specials[Place(text: kind.rawValue)] = kind }
        seen.review = RulesReview([.root: "*.o"])
        seen.review.take("", in: .root, isFromHere: false)
        let plan = Plan().noting(seen)
        note(plan, of: PlannedWorld())
        note(Plan().holding(["a"]), of: PlannedWorld())

        var named = try agreed()
        named.write(Place([NodeName("a\u{7}")]), 1)
        try carry(&named)
        named.policy.disk = DiskTraits(longestName: 8)
        named.writeThere(Place([NodeName("much too long a name")]), 2)
        try carry(&named)
    }

    // MARK: - What the server is like

    /// What no tree can hold is told beside the plan.
    mutating func lookAtTheServer() {
        func file(_ id: String, _ name: String, in parent: String) -> File {
            ToldDrive.file(id, named: name, in: parent)
        }
        let tree = RemoteTree(
            rootId: "box",
            files: [
                ToldDrive.file("box", named: "box", in: File.rootId, isFolder: true), file("1", "a/b", in: "box"),
                file("2", "c", in: "box"), file("3", "c", in: "box"), file("4", "d", in: "nowhere"),
                file("5", ".e.0123456789ab.bothy-part", in: "box"),
            ])
        for misfit in tree.misfits.values { note(.held(misfit.reason)) }
    }

    // MARK: - What a guard sees

    mutating func lookAtGuards() throws {
        var world = PlannedWorld()
        world.makeFolder("docs")
        for index in 1...60 { world.write(Place(text: "docs/\(index)"), index) }
        try world.settle()
        func plan(_ world: PlannedWorld, _ change: (inout Guard.Circumstances) -> Void = { _ in }) -> Plan {
            var told = Guard.Circumstances()
            change(&told)
            return Planner.plan(world.question, under: told)
        }
        for root in Guard.LocalRoot.allCases {
            note(plan(world) { $0.localRoot = root }, of: world, at: [.root])
        }
        note(plan(world) { $0.isRemoteRootThere = false }, of: world, at: [.root])
        note(plan(world) { $0.isLinkTakenBack = true }, of: world, at: [.root])
        var deleted = world
        deleted.deleteThere("docs")
        note(plan(deleted), of: deleted, at: [.root, "docs/1"])
        var one = world
        one.deleteThere("docs/1")
        note(plan(one) { $0.lulls = DeletionLulls().at(10) }, of: one, at: ["docs/1"])
        var emptied = world
        emptied.delete("docs")
        note(plan(emptied), of: emptied, at: [.root])
    }
}
