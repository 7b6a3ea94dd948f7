import BothyContract
import Foundation
import Testing

@testable import BothySync

/// Planning over what was touched alone is planning over everything: `BOTHY_TEST_PARTS` says over how many cases.
@Suite struct QuestionPartPropertyTests {
    static let count = ProcessInfo.processInfo.environment["BOTHY_TEST_PARTS"].flatMap(UInt64.init) ?? 1_500
    static let first = ProcessInfo.processInfo.environment["BOTHY_TEST_SEED"].flatMap(UInt64.init) ?? 0

    @Test func thePlanOverAPartIsThePlanOverAll() throws {
        var (part, whole) = (0, 0)
        for seed in Self.first..<Self.first + Self.count {
            var watched = WatchedCase(seed: seed)
            do {
                try watched.run()
            } catch {
                Issue.record("seed \(seed): \(error)")
                return
            }
            part += watched.partNodes
            whole += watched.wholeNodes
        }
        // Else it would hold of a part that is always everything.
        #expect(part * 10 < whole * 8, "a part has \(part) nodes of \(whole)")
    }

    /// Something that is left out with its folder, which others take out of the rule.
    @Test func whatWasBrokenOnceHolds() throws {
        var watched = WatchedCase(seed: 21_093)
        try watched.run()
    }
}

/// A world that is looked at again and again while people go on, each time over what was touched since.
private struct WatchedCase {
    private var dice: SeededGenerator
    private var world = PlannedWorld()
    /// Nil where everything is to be planned over.
    private var touched: Touched?
    private var told = Guard.Circumstances()
    /// What a guard holds, by the ids on the server.
    private var held = Set<String>()
    private var trail: [String] = []
    private(set) var (partNodes, wholeNodes) = (0, 0)

    /// Some are those that folder sync would give itself.
    private static let names: [NodeName] = [
        "a", "a (1)", "b", "d", "e.txt", "e (1).txt", "e (anna's conflict 2026-11-20).txt",
    ]
    private static let rounds = 6

    init(seed: UInt64) { dice = SeededGenerator(seed: seed) }

    mutating func run() throws {
        for _ in 0..<Int.random(in: 5...40, using: &dice) { world.perform(creation()) }
        _ = try world.settle()
        world.policy.deletions = chance(4) ? .documents : .mirror
        world.policy.conflicts = ConflictResolution.allCases.randomElement(using: &dice)!
        world.mergeFails = chance(2)
        world.knowsBirths = !chance(4)
        if chance(4) { turnRule() }
        told.limits.mostInADay = chance(3) ? 2 : 50
        touched = Planner.plan(world.question, under: told).unsettled
        for _ in 0..<Self.rounds { try look() }
    }

    private mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &dice) == 0 }

    /// People do something, both plans are compared, and some of the plan is carried out.
    private mutating func look() throws {
        let before = Snapshot(world)
        for _ in 0..<Int.random(in: 0...3, using: &dice) {
            let deed = deed()
            trail.append("\(deed)")
            world.perform(deed)
        }
        if chance(6) { disturb() }
        touched?.formUnion(Snapshot(world).difference(from: before))
        if chance(12) { turnRule() }
        told.confirmed = chance(8) ? [.rootEmptied] : []
        let whole = Planner.plan(world.question, under: told)
        if let touched { try compare(whole, touched) }
        try holdOn(whole)
        touched = whole.unsettled
        try carryOut(whole)
    }

    private mutating func compare(_ whole: Plan, _ touched: Touched) throws {
        let part = Planner.plan(world.question, about: touched, under: told)
        partNodes += QuestionPart(world.question, about: touched).count
        wholeNodes += world.remote.tree.count + world.local.tree.count + world.synced.tree.count
        guard part == whole else {
            throw Broken("\(trail.joined(separator: "\n"))\ntouched \(touched)\nwhole \(whole)\npart  \(part)")
        }
    }

    /// What a guard holds goes only once a person has confirmed it, or it was there again in between.
    private mutating func holdOn(_ plan: Plan) throws {
        let lost = plan.actions.filter { Guard.weight(of: $0) != nil }.flatMap { action in
            action.step.isDeletion ? below(action.step.remoteId!).filter(isThere) : []
        }
        if told.confirmed.isEmpty, let gone = lost.first(where: held.contains) {
            throw Broken("\(trail.joined(separator: "\n"))\n\(gone) was held, and goes\n\(plan)")
        }
        let standing = plan.standing.filter { if case .held = $0.value { true } else { false } }.keys
        let waiting = Set(standing.compactMap { world.synced.node(at: $0).map { world.synced[$0].remoteId } })
        held = plan.held.isEmpty ? [] : held.intersection(waiting)
        for (place, standing) in plan.standing where standing == .held(.guarded) {
            if let node = world.synced.node(at: place) { held.insert(world.synced[node].remoteId) }
        }
        // Of an emptied folder no tree was looked at.
        if plan.sighting == .rootEmptied { held.formUnion(below(world.synced[.root].remoteId)) }
        told.held = plan.held
    }

    private func below(_ id: String) -> [String] {
        var ids: [String] = []
        if let node = world.synced.node(id) {
            ids += world.synced.tree.subtree(of: node).map { world.synced[$0].remoteId }
        }
        if let node = world.remote.node(id) { ids += world.remote.tree.subtree(of: node).map { world.remote[$0].id } }
        return ids
    }

    /// Else people have deleted it on both sides, and nothing is taken from them.
    private func isThere(_ id: String) -> Bool {
        if world.remote.node(id) != nil { return true }
        guard let inode = world.synced.facts(id)?.local?.inode else { return false }
        return world.local.tree.subtree(of: .root).contains { world.local[$0].stamp.inode == inode }
    }

    private mutating func carryOut(_ plan: Plan) throws {
        let before = Snapshot(world)
        for action in plan.actions.prefix(Int.random(in: 0...6, using: &dice)) {
            trail.append("> \(action.outline)")
            let crashes = chance(8)
            try world.execute(action, crashes: crashes)
            if crashes { break }
        }
        touched?.formUnion(Snapshot(world).difference(from: before))
    }

    /// A rule comes, or is taken back: it holds far beyond what was touched.
    private mutating func turnRule() {
        world.rules.setFile(world.rules.isEmpty ? "d" : "", in: .root)
        touched = nil
        trail.append(world.rules.isEmpty ? "nothing is left out" : "“d” is left out")
    }

    /// A file that is being written, a folder that cannot be read, or a link in the way of something, comes or is over.
    private mutating func disturb() {
        if chance(3) { return linkOrUnlink() }
        let node = world.local.tree.subtree(of: .root).dropFirst().randomElement(using: &dice)
        guard let node else { return }
        let isFile = world.local[node].kind == .file
        let isQuiet = world.local[node].condition == .quiet
        world.local.tree[node].condition = isQuiet ? (isFile ? .beingWritten : .unreadable) : .quiet
        trail.append("\(world.local.tree.place(of: node)) is \(world.local[node].condition)")
    }

    private mutating func linkOrUnlink() {
        let places = world.local.specials.keys.sorted()
        if let link = places.randomElement(using: &dice), chance(2) {
            world.local.specials[link] = nil
            trail.append("rm \(link)")
        } else {
            let place = known(.here)
            world.link(place)
            trail.append("ln -s \(place)")
        }
    }

    // MARK: - Deeds

    private mutating func place() -> Place {
        Place((0..<Int.random(in: 1...4, using: &dice)).map { _ in Self.names.randomElement(using: &dice)! })
    }

    /// One that is there, mostly: else few deeds would do anything.
    private mutating func known(_ side: Deed.Side) -> Place {
        if chance(4) { return place() }
        switch side {
        case .here: return world.local.tree.place(of: world.local.tree.subtree(of: .root).randomElement(using: &dice)!)
        case .there:
            return world.remote.tree.place(of: world.remote.tree.subtree(of: .root).randomElement(using: &dice)!)
        }
    }

    private mutating func creation() -> Deed {
        chance(2) ? .makeFolder(.here, place()) : .write(.here, place(), Int.random(in: 0...9, using: &dice))
    }

    private mutating func deed() -> Deed {
        let side: Deed.Side = chance(2) ? .here : .there
        switch Int.random(in: 0..<11, using: &dice) {
        case 0, 1: return .write(side, known(side), Int.random(in: 0...9, using: &dice))
        case 2: return .write(side, known(side).appending(Self.names.randomElement(using: &dice)!), 3)
        case 3 where side == .here: return .saveByRename(known(side), Int.random(in: 0...9, using: &dice))
        case 3, 4: return .makeFolder(side, place())
        case 5..<8:
            return .move(side, known(side), known(side).appending(Self.names.randomElement(using: &dice)!))
        case 8, 9:
            let place = known(side)
            return place.isRoot ? .makeFolder(side, "a") : .delete(side, place)
        default: return .makeExecutable(side, known(side))
        }
    }
}

/// What a watcher, a log of changes and a database would tell apart.
private struct Snapshot {
    private struct Remote: Equatable {
        var facts: RemoteFacts
        var name: NodeName
        var parent: String?
    }

    private struct Synced: Equatable {
        var facts: SyncedFacts
        var name: NodeName
        var parent: String?
    }

    private var here: [Place: LocalFacts] = [:]
    private var links: Set<Place>
    private var there: [String: Remote] = [:]
    private var agreed: [String: Synced] = [:]

    init(_ world: PlannedWorld) {
        let (local, remote, synced) = (world.local, world.remote, world.synced)
        links = Set(local.specials.keys)
        for node in local.tree.subtree(of: .root) { here[local.tree.place(of: node)] = local[node] }
        for node in remote.tree.subtree(of: .root) {
            let parent = remote.tree.parent(of: node).map { remote[$0].id }
            there[remote[node].id] = Remote(facts: remote[node], name: remote.tree.name(of: node), parent: parent)
        }
        for node in synced.tree.subtree(of: .root) {
            let parent = synced.tree.parent(of: node).map { synced[$0].remoteId }
            agreed[synced[node].remoteId] = Synced(
                facts: synced[node], name: synced.tree.name(of: node), parent: parent)
        }
    }

    /// Of what went from the disk as one, the top alone.
    func difference(from old: Snapshot) -> Touched {
        var touched = Touched()
        for place in Set(here.keys).union(old.here.keys) where here[place] != old.here[place] {
            if here[place] != nil || here[place.parent] != nil { touched.places.insert(place) }
        }
        touched.places.formUnion(links.symmetricDifference(old.links))
        for id in Set(there.keys).union(old.there.keys) where there[id] != old.there[id] { touched.ids.insert(id) }
        for id in Set(agreed.keys).union(old.agreed.keys) where agreed[id] != old.agreed[id] { touched.ids.insert(id) }
        return touched
    }
}
