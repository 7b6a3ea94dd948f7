import BothyContract

/// What a device does by itself while it runs on its battery.
public enum OnBattery: String, CaseIterable, Sendable {
    /// The same as ever.
    case go
    /// Nothing: it waits for the plug.
    case rest
}

/// The person wants this device to rest on its battery, and it runs on that.
package struct BatteryRule: ConditionRule {
    /// Seconds between two looks at the power supply, which tells nobody by itself without privileges.
    private static let interval = 3.0

    private let settings: DeviceSettings
    private let power: any PowerSupply
    private let clock: any ClientClock

    package init(settings: DeviceSettings, power: any PowerSupply, clock: any ClientClock) {
        self.settings = settings
        self.power = power
        self.clock = clock
    }

    package func condition(now: Timestamp) async throws -> Condition? {
        guard try await settings.onBattery() == .rest, power.reading().isOnBattery else { return nil }
        return Self.condition
    }

    package static let condition = Condition(
        rule: Condition.Rule.battery, effect: .holds(until: nil),
        words: "This device runs on its battery, and rests: nothing goes on by itself.",
        remedy: "Plug it in, or type “bothy config on-battery go”.")

    /// Waits until the plug was pulled, or is back. Nothing is looked at where the person lets it go, or there is no battery.
    ///
    /// - Parameter wasResting: whether this rule held work back when it was last asked.
    /// - Returns: false where there is nothing to wait for.
    package func turns(wasResting: Bool) async throws -> Bool {
        guard try await settings.onBattery() == .rest, power.reading().hasBattery else { return false }
        while power.reading().isOnBattery == wasResting { try await clock.sleep(seconds: Self.interval) }
        return true
    }
}

extension DeviceHome {
    /// Whether its battery, and no pause, is what holds back what goes on by itself.
    package func isRestingOnBattery() async throws -> Bool {
        try await conditions.hold(on: .byItself)?.rule == Condition.Rule.battery
    }
}
