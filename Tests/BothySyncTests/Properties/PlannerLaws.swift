import BothyContract
import BothySync

/// What must hold of every case.
struct Broken: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

enum PlannerLaws {
    static let mostSteps = 200

    static func check(_ planned: PlannedCase) throws {
        let start = try planned.world()
        var world = start
        world.policy.isLinking = planned.isLinking
        let steps = try run(&world, crashing: nil)
        try isAtRest(world)
        try nothingIsLost(start, world)
        try editsSurvive(start, world, planned)
        try nothingComesBack(start, world, planned)
        try noFalseConflict(steps, planned)
        try theWholePlanIsThePlanOfItsSteps(start, planned, steps, world)
        var crashed = start
        crashed.policy.isLinking = planned.isLinking
        _ = try run(&crashed, crashing: UInt64(planned.after.count) &+ UInt64(steps.count) &* 31)
        try isAtRest(crashed)
        try nothingIsLost(start, crashed)
    }

    /// What cannot come to its place for what its person put there waits, and nothing is lost meanwhile; once that is gone
    /// again, both sides meet.
    static func checkWithLinks(_ planned: PlannedCase) throws {
        let start = try planned.world()
        var world = start
        world.policy.isLinking = planned.isLinking
        var steps = try run(&world, crashing: nil)
        try nothingIsLost(start, world)
        try editsSurvive(start, world, planned)
        world.local.specials = [:]
        steps += try run(&world, crashing: nil)
        try isAtRest(world)
        for (place, standing) in world.plan().standing where standing == .unsynced(.holdsWhatIsNotSynced) {
            throw Broken("\(place) stays for what is no longer in it")
        }
        try nothingIsLost(start, world)
        try editsSurvive(start, world, planned)
        try noFalseConflict(steps, planned)
    }

    /// One action at a time, planning again after each, until nothing is left to do.
    static func run(_ world: inout PlannedWorld, crashing seed: UInt64?) throws -> [Action] {
        var dice = seed.map { SeededGenerator(seed: $0) }
        var steps: [Action] = []
        while let action = world.plan().actions.first {
            steps.append(action)
            guard steps.count <= mostSteps else {
                throw Broken("no rest after \(mostSteps) steps; the last: \(steps.suffix(4))")
            }
            let crashes = dice != nil && Int.random(in: 0..<3, using: &dice!) == 0 && steps.count < 60
            try world.execute(action, crashes: crashes)
        }
        return steps
    }

    // MARK: - The laws

    /// The server, the disk and what was agreed on are the same, but for what waits for a person.
    static func isAtRest(_ world: PlannedWorld) throws {
        let standing = world.plan().standing
        for (place, standing) in standing {
            if case .held(let reason) = standing { throw Broken("\(place) is held: \(reason)") }
        }
        let waits = standing.filter { if case .conflict = $0.value { true } else { false } }.keys
        let unsynced = Set(standing.filter { if case .unsynced = $0.value { true } else { false } }.keys)
        for node in world.local.tree.subtree(of: .root).dropFirst() {
            let place = world.local.tree.place(of: node)
            if GivenNames.isTemporary(place.name) { throw Broken("\(place) was left under a passing name") }
            if unsynced.contains(place) { continue }
            if waits.contains(place), isThere(place, world) { continue }
            try isAgreed(place, world.local[node], world)
        }
        for node in world.remote.tree.subtree(of: .root) {
            let place = world.remote.tree.place(of: node)
            let isHere = world.synced.node(world.remote[node].id) != nil || waits.contains(place)
            guard isHere else { throw Broken("\(place) is on the server and not here") }
        }
        for node in world.synced.tree.subtree(of: .root) {
            let place = world.synced.tree.place(of: node)
            // What stays here unsynced may be renamed at will.
            if case .unsynced = world.synced[node].mark { continue }
            // What waits for a person may have lost its place to another meanwhile.
            let isWaiting = !waits.isEmpty && world.remote.node(world.synced[node].remoteId) != nil
            if isWaiting, SyncedTree.isOfNoPlace(world.synced.tree.name(of: node)) { continue }
            guard world.local.node(at: place) != nil else { throw Broken("\(place) is agreed on and not here") }
        }
    }

    /// Whether the server has what is in a conflict here, which may have a number in its name here.
    private static func isThere(_ place: Place, _ world: PlannedWorld) -> Bool {
        world.id(place) != nil || world.synced.facts(at: place).map { world.remote.node($0.remoteId) != nil } ?? false
    }

    private static func isAgreed(_ place: Place, _ here: LocalFacts, _ world: PlannedWorld) throws {
        guard let agreed = world.synced.facts(at: place) else { throw Broken("\(place) is not agreed on") }
        guard let node = world.remote.node(agreed.remoteId), world.remote[node].kind == here.kind else {
            throw Broken("\(place) is here and not on the server")
        }
        let folder = world.synced.facts(at: place.parent)?.remoteId
        guard world.remote.tree.name(of: node) == agreed.remoteName,
            world.remote.tree.parent(of: node).map({ world.remote[$0].id }) == folder
        else { throw Broken("\(place) is elsewhere on the server") }
        let there = world.remote[node]
        if here.kind == .folder { return }
        guard there.checksum == here.hash, agreed.checksum == here.hash else { throw Broken("\(place) differs") }
        guard there.executable == here.executable, there.modifiedAt == here.stamp.modifiedAt else {
            throw Broken("\(place) has other attributes")
        }
    }

    /// Every content is still somewhere: on a side, in the trash, in the history.
    static func nothingIsLost(_ start: PlannedWorld, _ end: PlannedWorld) throws {
        let kept = contents(end).union(end.history).union(end.trash)
        for lost in contents(start).subtracting(kept) { throw Broken("the content \(lost.hex.prefix(4)) is lost") }
    }

    /// What someone wrote and the other side has not seen stands where people look, not in a trash or a history alone.
    static func editsSurvive(_ start: PlannedWorld, _ end: PlannedWorld, _ planned: PlannedCase) throws {
        let replaces = planned.conflicts == .lastWriteWins || (planned.conflicts == .merge && !planned.mergeFails)
        guard !planned.isLinking, !replaces else { return }
        let agreed = Set(start.synced.tree.subtree(of: .root).compactMap { start.synced[$0].checksum })
        for edit in contents(start).subtracting(agreed).subtracting(contents(end)) {
            throw Broken("the edit \(edit.hex.prefix(4)) is only in a trash or a history")
        }
    }

    private static func contents(_ world: PlannedWorld) -> Set<ContentHash> {
        Set(world.local.tree.subtree(of: .root).compactMap { world.local[$0].hash })
            .union(world.remote.tree.subtree(of: .root).compactMap { world.remote[$0].checksum })
    }

    /// What was deleted on one side and left alone on the other is gone from both.
    static func nothingComesBack(_ start: PlannedWorld, _ end: PlannedWorld, _ planned: PlannedCase) throws {
        guard !planned.isLinking else { return }
        let here = Set(start.local.tree.subtree(of: .root).map { start.local[$0].stamp.inode })
        let hashesHere = contents(start)
        let isQuietHere = !planned.after.contains { $0.side == .here }
        let isQuietThere = !planned.after.contains { $0.side == .there }
        for node in start.synced.tree.subtree(of: .root) where start.synced[node].kind == .file {
            let agreed = start.synced[node]
            let place = start.synced.tree.place(of: node)
            if isQuietThere, !here.contains(agreed.local!.inode), start.local.node(at: place) == nil,
                !hashesHere.contains(agreed.checksum!), end.remote.node(agreed.remoteId) != nil
            {
                throw Broken("\(place) was deleted here and is still on the server")
            }
            if isQuietHere, planned.deletions == .mirror, start.remote.node(agreed.remoteId) == nil,
                start.id(place) == nil,
                end.local.tree.subtree(of: .root).contains(where: { end.local[$0].stamp.inode == agreed.local!.inode })
            {
                throw Broken("\(place) was deleted on the server and is still here")
            }
        }
    }

    /// A conflict needs two people.
    static func noFalseConflict(_ steps: [Action], _ planned: PlannedCase) throws {
        let sides = Set(planned.after.map(\.side))
        for action in steps {
            switch action.step {
            case .setAside where sides.count < 2 && !planned.isLinking, .merge where sides.count < 2:
                throw Broken("a conflict of one side with itself: \(action)")
            case .merge(_, _, let mine, let theirs) where mine.hash == theirs.checksum:
                throw Broken("a conflict of the same content: \(action)")
            default: break
            }
        }
    }

    /// What a dry run prints is what is then done, whether or not it is planned anew after each step.
    static func theWholePlanIsThePlanOfItsSteps(
        _ start: PlannedWorld, _ planned: PlannedCase, _ steps: [Action], _ end: PlannedWorld
    ) throws {
        var world = start
        world.policy.isLinking = planned.isLinking
        var done = world.plan().actions
        for action in done { try world.execute(action) }
        let more = try run(&world, crashing: nil)
        if planned.knowsBirths { try thePlanToldOfAll(done, more) }
        done += more
        let (whole, single) = (outlines(done), outlines(steps))
        // Where a disk does not know when an inode was made, a file that is edited and moved is a new one halfway.
        guard whole == single || !planned.knowsBirths else {
            throw Broken("planned \(done.map(\.outline))\nand then did \(steps.map(\.outline))")
        }
        try isAtRest(world)
        guard shape(world) == shape(end) else {
            throw Broken(
                "the plan and its steps end differently: \(places(world)) and \(places(end)), after\n"
                    + "\(done.map(\.outline))\nand \(steps.map(\.outline))")
        }
    }

    /// What follows a plan is what only its steps could tell: attributes, and what came of a merge, which may fail.
    private static func thePlanToldOfAll(_ plan: [Action], _ more: [Action]) throws {
        var merged = Set(plan.filter { if case .merge = $0.step { true } else { false } }.map(\.place))
        for case .setAside(_, _, let from, let to) in more.map(\.step) where merged.contains(from) { merged.insert(to) }
        let untold = more.filter { action in
            switch action.step {
            case .touchLocal, .touchRemote: false
            case .upload, .download, .setAside: !merged.contains(action.place)
            default: !action.step.isBookkeeping
            }
        }
        if !untold.isEmpty {
            throw Broken("planned \(plan.map(\.outline))\nand then did \(untold.map(\.outline)) as well")
        }
    }

    /// Without what is only struck out, since neither side has it any more: that is part of the next step where that knows of it.
    private static func outlines(_ actions: [Action]) -> [String] {
        actions.filter { if case .forget = $0.step { false } else { true } }.map(\.outline).sorted()
    }

    private static func places(_ world: PlannedWorld) -> [String] { shape(world).keys.map { "\($0)" }.sorted() }

    private static func shape(_ world: PlannedWorld) -> [Place: ContentHash?] {
        let nodes = world.local.tree.subtree(of: .root)
        return Dictionary(uniqueKeysWithValues: nodes.map { (world.local.tree.place(of: $0), world.local[$0].hash) })
    }
}

extension Deed {
    var side: Side {
        switch self {
        case .write(let side, _, _), .makeFolder(let side, _), .move(let side, _, _), .exchange(let side, _, _),
            .nest(let side, _, _), .delete(let side, _), .makeExecutable(let side, _):
            side
        case .saveByRename: .here
        }
    }
}

extension Action {
    /// What it does and where, without what only the moment knows.
    var outline: String {
        let name = "\(step)".prefix { $0 != "(" }
        return "\(name) \(place)"
    }

    /// Where it leaves what it is about.
    var place: Place { places.last! }
}
