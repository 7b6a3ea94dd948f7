/// What this device does while it runs on its battery, as screens look at it.
///
/// Every method that throws throws `ClientFailure`.
public protocol DevicePower: Sendable {
    /// Whether there is a battery that it can run on.
    func hasBattery() async -> Bool

    func onBattery() async throws -> OnBattery

    func set(_ onBattery: OnBattery) async throws
}

/// A home's own.
public struct HomePower: DevicePower {
    private let home: DeviceHome
    private let changed: @Sendable () async -> Void

    /// - Parameter changed: called when something else may hold work back now.
    package init(home: DeviceHome, changed: @escaping @Sendable () async -> Void) {
        self.home = home
        self.changed = changed
    }

    public func hasBattery() async -> Bool { home.environment.power.reading().hasBattery }

    public func onBattery() async throws -> OnBattery { try await home.settings.onBattery() }

    public func set(_ onBattery: OnBattery) async throws {
        try await home.settings.setOnBattery(onBattery)
        await changed()
    }
}
