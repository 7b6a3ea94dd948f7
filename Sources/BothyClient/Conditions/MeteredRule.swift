/// The person wants this device to rest in a network that costs by what goes through it, and it is in one.
package struct MeteredRule: RestRule {
    package static let rest = DeviceRest.metered
    package static let interval = 5.0

    package let settings: DeviceSettings
    package let clock: any ClientClock
    private let network: any NetworkMetering

    package init(settings: DeviceSettings, network: any NetworkMetering, clock: any ClientClock) {
        self.settings = settings
        self.network = network
        self.clock = clock
    }

    package static let condition = Condition(
        rule: Condition.Rule.metered, effect: .holds(until: nil),
        words: "This network is metered: background sync and transfers are paused.",
        remedy: "Use another network, or run “bothy config on-metered go”.")

    /// The service that tells of networks may begin later than this process.
    package func isPossible() async -> Bool { true }

    package func isNow() async -> Bool { await network.isMetered() ?? false }
}
