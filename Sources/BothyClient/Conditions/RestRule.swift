import BothyContract

/// What a device does by itself at times that its owner may want it to rest at.
public enum RestChoice: String, CaseIterable, Sendable {
    /// The same as ever.
    case go
    /// Nothing: it waits until that is over.
    case rest
}

/// Why a device rests by itself.
public enum DeviceRest: String, CaseIterable, Sendable {
    /// It runs on its battery.
    case battery
    /// The network costs by what goes through it.
    case metered
}

/// The person wants this device to rest at such times, and it is one.
package protocol RestRule: ConditionRule {
    static var rest: DeviceRest { get }
    /// What holds at such a time.
    static var condition: Condition { get }
    /// Seconds between two looks.
    static var interval: Double { get }

    var settings: DeviceSettings { get }
    var clock: any ClientClock { get }

    /// Whether there can be such times on this device.
    func isPossible() async -> Bool

    func isNow() async -> Bool
}

extension RestRule {
    package func condition(now: Timestamp) async throws -> Condition? {
        guard try await settings.choice(of: Self.rest) == .rest, await isNow() else { return nil }
        return Self.condition
    }

    /// Waits until such a time has begun, or is over. Nothing is looked at where the person lets it go, or there are none.
    ///
    /// - Parameter wasResting: whether this rule held work back when it was last asked.
    /// - Returns: false where there is nothing to wait for.
    package func turns(wasResting: Bool) async throws -> Bool {
        guard try await settings.choice(of: Self.rest) == .rest, await isPossible() else { return false }
        while await isNow() == wasResting { try await clock.sleep(seconds: Self.interval) }
        return true
    }
}

extension DeviceHome {
    /// Why this device rests, where it is that, and no pause, that holds back automatic work.
    package func rest() async throws -> DeviceRest? {
        try await conditions.hold(on: .byItself).flatMap { DeviceRest(rawValue: $0.rule) }
    }

    /// Waits until one of the rules that made this device rest lets it go on; or, while none does, until one holds it back.
    ///
    /// - Parameter rest: why it rested when it was last asked; nil where it did not.
    /// - Returns: false where there is nothing to wait for.
    package func turned(from rest: DeviceRest?) async throws -> Bool {
        let rules = restRules.filter { rest == nil || type(of: $0).rest == rest }
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            for rule in rules { group.addTask { try await rule.turns(wasResting: rest != nil) } }
            for try await turned in group where turned {
                group.cancelAll()
                return true
            }
            return false
        }
    }
}
