/// Programs that have files open for a while.
extension ScheduleMaker {
    /// One event in this many is a program's.
    private static let rarity = 6

    /// - Parameter start: what comes before stays as it is.
    mutating func withPrograms(_ events: [Event], from start: Int) -> [Event] {
        events.indices.map { $0 >= start && roll(Self.rarity) == 0 ? program() : meetingPrograms(events[$0]) }
    }

    private mutating func program() -> Event {
        // A person who writes alone does so on one device.
        let device = shape.oneWriter ? 0 : device()
        return switch roll(10) {
        case 0..<4: .program(device: device, .opens(file: pick()))
        case 4..<8: .program(device: device, .writes(file: pick(), content()))
        default: .program(device: device, .closes(file: pick()))
        }
    }

    /// Some open a file while a pass is about to replace it.
    private mutating func meetingPrograms(_ event: Event) -> Event {
        guard case .pass(let device, var conditions) = event, roll(3) == 0 else { return event }
        let opens = Event.program(device: device, .opens(file: pick()))
        conditions.interruptions.append(.init(call: 1 + roll(60), event: opens))
        conditions.interruptions.sort { $0.call < $1.call }
        return .pass(device: device, conditions)
    }
}
