import BothyContract

/// Makes a world's shape and schedule from a seed.
package struct ScheduleMaker {
    private var random: SeededRandom
    private let steps: Int
    private var nextContent = 1
    package private(set) var shape: WorldShape
    private let seed: UInt64

    package init(seed: UInt64, size: SimulationSize) {
        self.seed = seed
        random = SeededRandom(seed)
        steps = size.steps
        let count = size.devices ?? Int.random(in: 3...5, using: &random)
        let work = size.work ?? Self.work(ofSeed: seed)
        // A person who works in a folder and at a replica of one device may well be in conflict with themselves.
        let oneWriter = Int.random(in: 0..<8, using: &random) == 0 && work != .both
        shape = WorldShape(devices: [], work: work, oneWriter: oneWriter)
        for index in 0..<count {
            shape.devices.append(.init(name: WorldShape.deviceNames[index], disk: diskNature()))
        }
        if work == .folders, hasPolicies { choosePolicies() }
    }

    /// Three worlds in four are of folders alone.
    private static func work(ofSeed seed: UInt64) -> WorldShape.Work {
        switch seed % 8 {
        case 0: .both
        case 4: .replicas
        default: .folders
        }
    }

    private mutating func diskNature() -> DiskNature {
        var nature = DiskNature()
        switch roll(10) {
        case 0..<2: nature.naming = .caseInsensitive
        case 2: nature.naming = .decomposing
        default: break
        }
        if roll(6) == 0 {
            nature.timeGranularity = 2_000_000_000
            (nature.tellsBirth, nature.keepsInodes) = (false, false)
        }
        return nature
    }

    /// In half of the worlds everyone has linked before anything happens.
    package mutating func schedule() -> [Event] {
        let links = roll(2) == 0 ? shape.devices.indices.flatMap(links) : []
        let events: [Event] = links.prefix(steps) + (0..<max(0, steps - links.count)).map { _ in event() }
        // With replicas there are neither, also where somebody asks for them: what they keep lies on the same disk.
        guard shape.work == .folders else { return events }
        if hasPolicies { return withDecisions(events, from: links.count) }
        if hasPrograms { return withPrograms(events, from: links.count) }
        return hasBadDays ? withBadDays(events, from: links.count) : events
    }

    // Every fourth world each, other ones than those with replicas.
    private var hasBadDays: Bool { seed % 4 == 1 }
    private var hasPolicies: Bool { seed % 4 == 3 }
    /// Every eighth.
    private var hasPrograms: Bool { seed % 8 == 6 }

    private mutating func choosePolicies() {
        for index in shape.devices.indices {
            shape.devices[index].deletions = roll(2) == 0 ? .documents : .mirror
            shape.devices[index].conflicts = ConflictResolution.allCases[roll(ConflictResolution.allCases.count)]
        }
    }

    private func links(_ device: Int) -> [Event] {
        switch shape.work {
        case .folders: [.pass(device: device, PassConditions())]
        case .replicas: [.exchange(device: device, PassConditions())]
        case .both: [.pass(device: device, PassConditions()), .exchange(device: device, PassConditions())]
        }
    }

    mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    mutating func pick() -> Int { roll(1 << 16) }
    mutating func device() -> Int { roll(shape.devices.count) }

    private mutating func event() -> Event {
        switch roll(100) {
        case 0..<40: personsEvent()
        case 40..<48: shape.oneWriter ? personsEvent() : .web(webDeed())
        case 48..<88: devicesEvent()
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

    private mutating func personsEvent() -> Event {
        let device = shape.oneWriter ? 0 : device()
        return isAtReplica() ? .intent(device: device, intent()) : .person(device: device, deed())
    }

    private mutating func devicesEvent() -> Event {
        let device = device()
        return isAtReplica()
            ? .exchange(device: device, conditions(calls: 16)) : .pass(device: device, conditions(calls: 60))
    }

    private mutating func isAtReplica() -> Bool {
        switch shape.work {
        case .folders: false
        case .replicas: true
        case .both: roll(2) == 0
        }
    }

    /// - Parameter calls: about as many as the device makes to disk and network.
    private mutating func conditions(calls: Int) -> PassConditions {
        var conditions = PassConditions(dice: random.next())
        switch roll(10) {
        case 0..<4: conditions.faults = .bad
        case 4: conditions.faults = .offline
        default: break
        }
        if roll(6) == 0 { conditions.crashAt = 1 + roll(calls) }
        if roll(3) == 0 {
            for _ in 0...roll(2) {
                let event: Event = !shape.oneWriter && roll(3) == 0 ? .web(webDeed()) : personsEvent()
                conditions.interruptions.append(.init(call: 1 + roll(calls), event: event))
            }
            conditions.interruptions.sort { $0.call < $1.call }
        }
        return conditions
    }

    mutating func content() -> Content {
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
