/// Makes a world's shape and schedule from a seed.
package struct ScheduleMaker {
    private var random: SeededRandom
    private let steps: Int
    private var nextContent = 1
    package private(set) var shape: WorldShape

    package init(seed: UInt64, size: SimulationSize) {
        random = SeededRandom(seed)
        steps = size.steps
        let count = size.devices ?? Int.random(in: 3...5, using: &random)
        shape = WorldShape(devices: [], oneWriter: Int.random(in: 0..<8, using: &random) == 0)
        for index in 0..<count {
            shape.devices.append(.init(name: WorldShape.deviceNames[index], disk: diskNature()))
        }
    }

    private mutating func diskNature() -> DiskNature {
        var nature = DiskNature()
        switch roll(10) {
        case 0..<2: nature.naming = .caseInsensitive
        case 2: nature.naming = .decomposing
        default: break
        }
        if roll(6) == 0 { nature.timeGranularity = 2_000_000_000 }
        return nature
    }

    /// In half of the worlds everyone has linked before anything happens.
    package mutating func schedule() -> [Event] {
        let links = roll(2) == 0 ? shape.devices.indices.map { Event.pass(device: $0, PassConditions()) } : []
        return links.prefix(steps) + (0..<max(0, steps - links.count)).map { _ in event() }
    }

    private mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    private mutating func pick() -> Int { roll(1 << 16) }
    private mutating func device() -> Int { roll(shape.devices.count) }

    private mutating func event() -> Event {
        switch roll(100) {
        case 0..<40: .person(device: shape.oneWriter ? 0 : device(), deed())
        case 40..<48: shape.oneWriter ? .person(device: 0, deed()) : .web(webDeed())
        case 48..<88: .pass(device: device(), conditions())
        case 88..<91: .powerCut(device: device(), dice: random.next())
        case 91..<94: .settle(device: device())
        case 94: .clockJump(device: device(), seconds: Int64(roll(4_000_000)) - 2_000_000)
        case 95..<98: .arrivals
        case 98: .days(roll(3))
        default:
            switch roll(12) {
            case 0..<2: .forgetLog
            case 2..<5: .backup
            case 5: .restore
            default: .arrivals
            }
        }
    }

    private mutating func conditions() -> PassConditions {
        var conditions = PassConditions(dice: random.next())
        switch roll(10) {
        case 0..<4: conditions.faults = .bad
        case 4: conditions.faults = .offline
        default: break
        }
        if roll(6) == 0 { conditions.crashAt = 1 + roll(60) }
        if roll(3) == 0 {
            for _ in 0...roll(2) {
                let event: Event =
                    shape.oneWriter
                    ? .person(device: 0, deed())
                    : roll(3) == 0 ? .web(webDeed()) : .person(device: device(), deed())
                conditions.interruptions.append(.init(call: 1 + roll(60), event: event))
            }
            conditions.interruptions.sort { $0.call < $1.call }
        }
        return conditions
    }

    private mutating func content() -> Content {
        if roll(8) == 0 { return .familiar(roll(3)) }
        nextContent += 1
        return .unique(nextContent)
    }

    private mutating func deed() -> Deed {
        switch roll(100) {
        case 0..<24: .create(folder: pick(), name: pick(), content: content())
        case 24..<46: .edit(file: pick(), content: content(), Deed.Saving.allCases[roll(Deed.Saving.allCases.count)])
        case 46..<56: .makeFolder(parent: pick(), name: pick())
        case 56..<66: .rename(thing: pick(), name: pick())
        case 66..<76: .move(thing: pick(), folder: pick())
        case 76..<87: .delete(thing: pick())
        case 87..<90: .copy(file: pick(), folder: pick(), name: pick())
        case 90..<92: .swap(pick(), pick())
        case 92: .fileBecomesFolder(file: pick())
        case 93: .folderBecomesFile(folder: pick(), content: content())
        case 94..<97: .setExecutable(file: pick(), roll(2) == 0)
        case 97..<99: .touch(file: pick())
        default: .link(folder: pick(), name: pick())
        }
    }

    private mutating func webDeed() -> WebDeed {
        switch roll(20) {
        case 0..<2: .makeFolder(parent: pick(), name: pick())
        case 2..<5: .upload(folder: pick(), name: pick(), content: content())
        case 5..<10: .edit(file: pick(), content: content())
        case 10..<13: .rename(thing: pick(), name: pick())
        case 13..<16: .move(thing: pick(), folder: pick())
        case 16..<18: .trash(thing: pick())
        case 18: .untrash(pick())
        default: .deletePermanently(thing: pick())
        }
    }
}
