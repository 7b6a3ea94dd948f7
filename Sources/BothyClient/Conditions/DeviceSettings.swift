/// What a person has set on this device for good.
public struct DeviceSettings: Sendable {
    private let database: ClientDatabase
    private let conditions: TrafficConditions

    private static let rateLimitName = "limit-rate"

    package init(database: ClientDatabase, conditions: TrafficConditions) {
        self.database = database
        self.conditions = conditions
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

    /// The limit of this process alone.
    public func limitThisProcess(to bytesPerSecond: Int64?) { conditions.limit(to: bytesPerSecond) }
}
