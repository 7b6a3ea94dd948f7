/// Makes a failing schedule small: delta debugging (Zeller and Hildebrandt, «Simplifying and isolating
/// failure-inducing input», IEEE TSE 28(2), 2002), then each step that is left is made as quiet as it can be.
package struct Shrinker<Step: ShrinkableStep> {
    /// Runs that one shrinking may take.
    package var budget = 2_000
    private let fails: ([Step]) async -> Bool

    /// - Parameter fails: whether a schedule still shows the same failure.
    package init(budget: Int = 2_000, fails: @escaping ([Step]) async -> Bool) {
        self.budget = budget
        self.fails = fails
    }

    /// - Parameter events: a schedule that fails.
    /// - Returns: one that fails, of which no event can be left out, unless the budget was used up.
    package mutating func shrink(_ events: [Step]) async -> [Step] {
        var events = events
        var before: Int
        repeat {
            before = budget
            let size = Self.weight(events)
            events = await leaveOut(events)
            events = await quiet(events)
            if Self.weight(events) == size { break }
        } while budget > 0 && before > budget
        return events
    }

    /// The algorithm ddmin: complements of ever finer parts.
    private mutating func leaveOut(_ events: [Step]) async -> [Step] {
        var events = events
        var parts = 2
        while events.count >= 2, budget > 0 {
            let length = (events.count + parts - 1) / parts
            var smaller: [Step]?
            for start in stride(from: 0, to: events.count, by: length) {
                var rest = events
                rest.removeSubrange(start..<min(start + length, events.count))
                if await tries(rest) {
                    smaller = rest
                    break
                }
            }
            if let smaller {
                events = smaller
                parts = max(parts - 1, 2)
            } else if length == 1 {
                break
            } else {
                parts = min(parts * 2, events.count)
            }
        }
        if events.count == 1, await tries([]) { return [] }
        return events
    }

    /// Each step without its faults, crashes and interruptions, where these do not matter.
    private mutating func quiet(_ events: [Step]) async -> [Step] {
        var events = events
        for index in events.indices {
            for quieter in events[index].quieter where quieter != events[index] {
                var candidate = events
                candidate[index] = quieter
                if await tries(candidate) {
                    events = candidate
                    break
                }
            }
        }
        return events
    }

    private mutating func tries(_ events: [Step]) async -> Bool {
        guard budget > 0 else { return false }
        budget -= 1
        return await fails(events)
    }

    private static func weight(_ events: [Step]) -> Int { events.reduce(0) { $0 + $1.weight } }
}

/// A step of a schedule that can be made smaller.
package protocol ShrinkableStep: Equatable, Sendable {
    /// How much happens in it, 1 or more.
    var weight: Int { get }
    /// The same with less around it, the quietest first.
    var quieter: [Self] { get }
}

extension Event: ShrinkableStep {
    package var weight: Int {
        guard let conditions else { return 1 }
        return 1 + (conditions.faults == .none ? 0 : 1) + (conditions.crashAt == nil ? 0 : 1)
            + conditions.interruptions.count
    }

    /// Passes and exchanges without their faults, crashes and interruptions.
    package var quieter: [Event] {
        guard let conditions else { return [] }
        var all = [PassConditions()]
        var without = conditions
        without.faults = .none
        all.append(without)
        without = conditions
        without.crashAt = nil
        all.append(without)
        for index in conditions.interruptions.indices {
            without = conditions
            without.interruptions.remove(at: index)
            all.append(without)
        }
        return all.map { quieter in
            var event = self
            event.conditions = quieter
            return event
        }
    }

    /// What goes on around a device's own work; nil for what is none.
    private var conditions: PassConditions? {
        get {
            switch self {
            case .pass(_, let conditions), .exchange(_, let conditions): conditions
            default: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .pass(let device, _): self = .pass(device: device, newValue)
            case .exchange(let device, _): self = .exchange(device: device, newValue)
            default: break
            }
        }
    }
}
