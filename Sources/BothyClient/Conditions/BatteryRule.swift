/// The person wants this device to rest on its battery, and it runs on that.
package struct BatteryRule: RestRule {
    package static let rest = DeviceRest.battery
    /// The power supply tells nobody by itself without privileges.
    package static let interval = 3.0

    package let settings: DeviceSettings
    package let clock: any ClientClock
    private let power: any PowerSupply

    package init(settings: DeviceSettings, power: any PowerSupply, clock: any ClientClock) {
        self.settings = settings
        self.power = power
        self.clock = clock
    }

    package static let condition = Condition(
        rule: Condition.Rule.battery, effect: .holds(until: nil),
        words: "This device runs on battery: background sync and transfers are paused.",
        remedy: "Plug it in, or run “bothy config on-battery go”.")

    package func isPossible() async -> Bool { power.reading().hasBattery }

    package func isNow() async -> Bool { power.reading().isOnBattery }
}
