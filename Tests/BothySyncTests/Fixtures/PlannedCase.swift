import BothyContract
import BothySync

/// What a person does on one of the two sides. A deed that cannot be done there is skipped, so that a list of deeds stays a case
/// when some are taken out.
enum Deed: CustomStringConvertible {
    enum Side: String { case here, there }

    case write(Side, Place, Int)
    case saveByRename(Place, Int)
    case makeFolder(Side, Place)
    case move(Side, Place, Place)
    /// Two change names.
    case exchange(Side, Place, Place)
    /// Into a new folder of its own name.
    case nest(Side, Place, NodeName)
    case delete(Side, Place)
    case makeExecutable(Side, Place)

    var description: String {
        switch self {
        case .write(let side, let place, let content): "\(side): write \(place) \(content)"
        case .saveByRename(let place, let content): "here: save by rename \(place) \(content)"
        case .makeFolder(let side, let place): "\(side): mkdir \(place)"
        case .move(let side, let place, let target): "\(side): mv \(place) \(target)"
        case .exchange(let side, let place, let other): "\(side): exchange \(place) \(other)"
        case .nest(let side, let place, let name): "\(side): nest \(place) \(name.text)"
        case .delete(let side, let place): "\(side): rm \(place)"
        case .makeExecutable(let side, let place): "\(side): chmod +x \(place)"
        }
    }
}

extension Deed {
    /// Where something is moved to.
    fileprivate var target: Place? {
        if case .move(_, _, let target) = self { target } else { nil }
    }

    /// What is written is nothing that both sides have had before.
    fileprivate var writingWhatIsNew: Deed {
        switch self {
        case .write(let side, let place, let content): .write(side, place, content + 10)
        case .saveByRename(let place, let content): .saveByRename(place, content + 10)
        case .makeFolder, .move, .exchange, .nest, .delete, .makeExecutable: self
        }
    }
}

extension PlannedWorld {
    /// Where people have something for a moment.
    private static let hand: Place = "hand"

    mutating func perform(_ deed: Deed) {
        switch deed {
        case .write(.here, let place, let content):
            if local.facts(at: place)?.kind != .folder { write(place, content) }
        case .write(.there, let place, let content):
            if id(place).flatMap({ remote.facts($0) })?.kind != .folder { writeThere(place, content) }
        case .saveByRename(let place, let content):
            if local.facts(at: place)?.kind == .file { saveByRename(place, content) }
        case .makeFolder(.here, let place): makeFolder(place)
        case .makeFolder(.there, let place): makeFolderThere(place)
        case .move(.here, let place, let target):
            if local.facts(at: target.parent)?.kind == .folder { move(place, to: target) }
        case .move(.there, let place, let target): moveThere(place, to: target)
        case .exchange(let side, let place, let other):
            guard !place.names.starts(with: other.names), !other.names.starts(with: place.names) else { return }
            perform(.move(side, place, Self.hand))
            perform(.move(side, other, place))
            perform(.move(side, Self.hand, other))
            // There was no other, and no room for the one.
            perform(.move(side, Self.hand, place))
        case .nest(let side, let place, let name):
            perform(.move(side, place, Self.hand))
            perform(.makeFolder(side, place))
            perform(.move(side, Self.hand, place.appending(name)))
            perform(.move(side, Self.hand, place))
        case .delete(.here, let place): delete(place)
        case .delete(.there, let place): deleteThere(place)
        case .makeExecutable(.here, let place):
            if local.facts(at: place)?.kind == .file { change(place) { $0.executable = true } }
        case .makeExecutable(.there, let place):
            if id(place).flatMap({ remote.facts($0) })?.kind == .file { changeThere(place) { $0.executable = true } }
        }
    }
}

/// Deeds before both sides agreed, and deeds after.
struct PlannedCase: CustomStringConvertible {
    var before: [Deed]
    var after: [Deed]
    var deletions: DeletionPolicy = .mirror
    var conflicts: ConflictResolution = .fork
    var isLinking = false
    var mergeFails = false
    var knowsBirths = true
    /// What this side's disk makes of names.
    var disk = DiskTraits.exact
    /// Where its person puts symbolic links in the end, in place of whatever is there.
    var links: [Place] = []

    var description: String {
        let lines = [
            "\(disk == .exact ? "" : "a disk that folds names, ")\(deletions) \(conflicts)\(isLinking ? " linking" : "")\(mergeFails ? " merges fail" : "")\(knowsBirths ? "" : " no births")"
        ]
        let deeds = ["agreed on:"] + before.map { "  \($0)" } + ["then:"] + after.map { "  \($0)" }
        return (lines + deeds + links.map { "  here: ln -s \($0)" }).joined(separator: "\n")
    }

    /// - Parameters:
    ///   - disk: one that folds names gets some that differ in their case or spelling alone.
    ///   - hasLinks: whether symbolic links are put in the way of what is to come.
    init(seed: UInt64, disk: DiskTraits = .exact, hasLinks: Bool = false) {
        self.disk = disk
        var dice = SeededGenerator(seed: seed)
        // What is in the way is in the way of something only where names are few.
        let names = hasLinks ? Array(Self.names.prefix(2)) : disk.foldsNames ? Self.alikeNames : Self.names
        before = (0..<Int.random(in: 0...7, using: &dice)).map { _ in Self.creation(names, &dice) }
        let busy = Int.random(in: 0...3, using: &dice)
        after = (0..<Int.random(in: 1...(hasLinks ? 9 : 6), using: &dice)).map { _ in
            // One case in four has one busy side alone.
            Self.deed(busy == 0 ? .here : busy == 1 ? .there : Bool.random(using: &dice) ? .here : .there, names, &dice)
        }
        deletions = Int.random(in: 0..<4, using: &dice) == 0 ? .documents : .mirror
        conflicts = ConflictResolution.allCases.randomElement(using: &dice)!
        isLinking = Int.random(in: 0..<8, using: &dice) == 0
        mergeFails = Bool.random(using: &dice)
        knowsBirths = Int.random(in: 0..<4, using: &dice) > 0
        guard hasLinks else { return }
        after = after.map(\.writingWhatIsNew)
        let targets = after.compactMap(\.target)
        let inTheWay = (targets + targets.map(\.parent) + [Self.place(names, &dice)]).filter { !$0.isRoot }
        links = (0..<Int.random(in: 1...2, using: &dice)).map { _ in inTheWay.randomElement(using: &dice)! }
    }

    init(before: [Deed], after: [Deed]) {
        self.before = before
        self.after = after
    }

    private static let names: [NodeName] = ["a", "b", "c", "d.txt", "d (1).txt"]

    private static let alikeNames: [NodeName] = ["a", "A", "\u{e9}", "\u{c9}", "d.txt", "D.txt"]

    private static func place(_ names: [NodeName], _ dice: inout SeededGenerator) -> Place {
        let depth = [1, 1, 2, 2, 3].randomElement(using: &dice)!
        return Place((0..<depth).map { _ in names.randomElement(using: &dice)! })
    }

    private static func creation(_ names: [NodeName], _ dice: inout SeededGenerator) -> Deed {
        let place = place(names, &dice)
        return Int.random(in: 0..<5, using: &dice) < 2
            ? .makeFolder(.here, place) : .write(.here, place, Int.random(in: 0...6, using: &dice))
    }

    private static func deed(_ side: Deed.Side, _ names: [NodeName], _ dice: inout SeededGenerator) -> Deed {
        let place = place(names, &dice)
        switch Int.random(in: 0..<14, using: &dice) {
        case 0..<3: return .write(side, place, Int.random(in: 0...6, using: &dice))
        case 3 where side == .here: return .saveByRename(place, Int.random(in: 0...6, using: &dice))
        case 3, 4: return .makeFolder(side, place)
        case 5..<8: return .move(side, place, Self.place(names, &dice))
        case 8: return .nest(side, place, names.randomElement(using: &dice)!)
        case 9: return .exchange(side, place, Self.place(names, &dice))
        case 10..<13: return .delete(side, place)
        default: return .makeExecutable(side, place)
        }
    }

    /// Both sides agreed on what was there before, and then went their ways.
    func world() throws -> PlannedWorld {
        var world = PlannedWorld()
        world.knowsBirths = knowsBirths
        world.policy.disk = disk
        for deed in before { world.perform(deed) }
        for _ in 0..<200 {
            guard let action = world.plan().actions.first else { break }
            try world.execute(action)
        }
        world.policy.deletions = deletions
        world.policy.conflicts = conflicts
        world.mergeFails = mergeFails
        world.trash = []
        for deed in after { world.perform(deed) }
        for place in links { world.link(place) }
        return world
    }
}
