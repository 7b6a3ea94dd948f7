/// When this device rests by itself, as screens look at it.
///
/// Every method that throws throws `ClientFailure`.
public protocol DeviceRests: Sendable {
    /// Whether there are such times on this device, as far as anybody can tell: it has a battery, somebody tells of its network.
    func isPossible(_ rest: DeviceRest) async -> Bool

    func choice(of rest: DeviceRest) async throws -> RestChoice

    func set(_ choice: RestChoice, of rest: DeviceRest) async throws
}

/// A home's own.
public struct HomeRests: DeviceRests {
    private let home: DeviceHome
    private let changed: @Sendable () async -> Void

    /// - Parameter changed: called when something else may hold work back now.
    package init(home: DeviceHome, changed: @escaping @Sendable () async -> Void) {
        self.home = home
        self.changed = changed
    }

    public func isPossible(_ rest: DeviceRest) async -> Bool {
        switch rest {
        case .battery: home.environment.power.reading().hasBattery
        case .metered: await home.environment.metering.isMetered() != nil
        }
    }

    public func choice(of rest: DeviceRest) async throws -> RestChoice { try await home.settings.choice(of: rest) }

    public func set(_ choice: RestChoice, of rest: DeviceRest) async throws {
        try await home.settings.set(choice, of: rest)
        await changed()
    }
}
