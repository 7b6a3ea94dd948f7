/// What a person has set on this device for good.
public struct DeviceSettings: Sendable {
    private let database: ClientDatabase
    private let conditions: TrafficConditions
    private let clock: any ClientClock

    private static let rateLimitName = "limit-rate"
    private static let pauseName = "paused"
    private static let webPortName = "web-port"

    package init(database: ClientDatabase, conditions: TrafficConditions, clock: any ClientClock) {
        self.database = database
        self.conditions = conditions
        self.clock = clock
    }

    /// - Returns: nil when nothing is paused, or the pause is over.
    public func pause() async throws -> DevicePause? {
        let now = clock.now()
        return try await database.read { db in try SettingTable.value(Self.pauseName, in: db) }
            .flatMap { DevicePause(text: $0, now: now) }
    }

    /// Holds what goes on by itself, from now on.
    ///
    /// - Parameter seconds: until it ends by itself; nil for when it is lifted.
    public func setPause(seconds: Int64?) async throws -> DevicePause {
        let pause = DevicePause(until: seconds.map { clock.now().adding(seconds: $0) })
        try await database.write { db in try SettingTable.set(Self.pauseName, to: pause.text, in: db) }
        return pause
    }

    /// Lets what goes on by itself go on.
    public func liftPause() async throws {
        try await database.write { db in try SettingTable.set(Self.pauseName, to: nil, in: db) }
    }

    /// Bytes a second that transfers may use each way; nil for no limit.
    public func rateLimit() async throws -> Int64? {
        try await database.read { db in try SettingTable.value(Self.rateLimitName, in: db) }.flatMap { Int64($0) }
    }

    /// Sets the lasting limit, and this process's own.
    ///
    /// - Parameter bytesPerSecond: at least 1; nil lifts the limit.
    public func setRateLimit(_ bytesPerSecond: Int64?) async throws {
        try await database.write { db in
            try SettingTable.set(Self.rateLimitName, to: bytesPerSecond.map(String.init), in: db)
        }
        conditions.limit(to: bytesPerSecond)
    }

    /// Where this device's web app was served last; nil where it never was, or is not to be.
    public func webPort() async throws -> Int? {
        try await database.read { db in try SettingTable.value(Self.webPortName, in: db) }.flatMap { Int($0) }
    }

    /// - Parameter port: nil for no web app.
    public func setWebPort(_ port: Int?) async throws {
        try await database.write { db in try SettingTable.set(Self.webPortName, to: port.map(String.init), in: db) }
    }

    /// The limit of this process alone.
    public func limitThisProcess(to bytesPerSecond: Int64?) { conditions.limit(to: bytesPerSecond) }
}
