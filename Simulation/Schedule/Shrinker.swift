/// Makes a failing schedule small: delta debugging (Zeller and Hildebrandt, «Simplifying and isolating
/// failure-inducing input», IEEE TSE 28(2), 2002), then each pass that is left is made as quiet as it can be.
package struct Shrinker {
    /// Runs that one shrinking may take.
    package var budget = 2_000
    private let fails: ([Event]) async -> Bool

    /// - Parameter fails: whether a schedule still shows the same failure.
    package init(budget: Int = 2_000, fails: @escaping ([Event]) async -> Bool) {
        self.budget = budget
        self.fails = fails
    }

    /// - Parameter events: a schedule that fails.
    /// - Returns: one that fails, of which no event can be left out, unless the budget was used up.
    package mutating func shrink(_ events: [Event]) async -> [Event] {
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
    private mutating func leaveOut(_ events: [Event]) async -> [Event] {
        var events = events
        var parts = 2
        while events.count >= 2, budget > 0 {
            let length = (events.count + parts - 1) / parts
            var smaller: [Event]?
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

    /// Passes and exchanges without their faults, crashes and interruptions, where these do not matter.
    private mutating func quiet(_ events: [Event]) async -> [Event] {
        var events = events
        for index in events.indices {
            guard let conditions = events[index].conditions else { continue }
            for quieter in Self.quieter(conditions) where quieter != conditions {
                var candidate = events
                candidate[index].conditions = quieter
                if await tries(candidate) {
                    events = candidate
                    break
                }
            }
        }
        return events
    }

    /// The quietest first.
    private static func quieter(_ conditions: PassConditions) -> [PassConditions] {
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
        return all
    }

    private mutating func tries(_ events: [Event]) async -> Bool {
        guard budget > 0 else { return false }
        budget -= 1
        return await fails(events)
    }

    private static func weight(_ events: [Event]) -> Int {
        events.reduce(0) { sum, event in
            guard let conditions = event.conditions else { return sum + 1 }
            return sum + 1 + (conditions.faults == .none ? 0 : 1) + (conditions.crashAt == nil ? 0 : 1)
                + conditions.interruptions.count
        }
    }
}

extension Event {
    /// What goes on around a device's own work; nil for what is none.
    fileprivate var conditions: PassConditions? {
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
