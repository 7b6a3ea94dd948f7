/// What a person has set on this device for good.
public struct DeviceSettings: Sendable {
    private let database: ClientDatabase
    private let conditions: TrafficConditions
    private let clock: any ClientClock

    private static let rateLimitName = "limit-rate"
    private static let pauseName = "paused"
    private static let webPortName = "web-port"
    private static let noticesName = "notices"
    private static let contentRoomName = "keep-content"
    private static let metadataRoomName = "keep-metadata"

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

    /// Holds automatic work, from now on.
    ///
    /// - Parameter seconds: until it ends by itself; nil for when it is lifted.
    public func setPause(seconds: Int64?) async throws -> DevicePause {
        let pause = DevicePause(until: seconds.map { clock.now().adding(seconds: $0) })
        try await database.write { db in try SettingTable.set(Self.pauseName, to: pause.text, in: db) }
        return pause
    }

    /// Lets automatic work run again.
    public func liftPause() async throws {
        try await database.write { db in try SettingTable.set(Self.pauseName, to: nil, in: db) }
    }

    /// What runs automatically at such times. At first, everything.
    public func choice(of rest: DeviceRest) async throws -> RestChoice {
        try await database.read { db in try SettingTable.value(Self.name(of: rest), in: db) }
            .flatMap { RestChoice(rawValue: $0) } ?? .go
    }

    public func set(_ choice: RestChoice, of rest: DeviceRest) async throws {
        try await database.write { db in
            try SettingTable.set(Self.name(of: rest), to: choice == .go ? nil : choice.rawValue, in: db)
        }
    }

    private static func name(of rest: DeviceRest) -> String { "on-" + rest.rawValue }

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

    /// What the person wants to be told of while they do not look. At first, all that needs them.
    public func noticeKinds() async throws -> Set<NoticeKind> {
        let text = try await database.read { db in try SettingTable.value(Self.noticesName, in: db) }
        guard let text else { return NoticeKind.atFirst }
        return Set(text.split(separator: " ").compactMap { NoticeKind(rawValue: String($0)) })
    }

    public func setNoticeKinds(_ kinds: Set<NoticeKind>) async throws {
        let text = kinds.map(\.rawValue).sorted().joined(separator: " ")
        try await database.write { db in try SettingTable.set(Self.noticesName, to: text, in: db) }
    }

    /// How much may be kept here of what goes by itself.
    public func roomLimits() async throws -> RoomLimits {
        try await database.read { db in
            RoomLimits(
                metadata: try SettingTable.value(Self.metadataRoomName, in: db).flatMap { Int64($0) },
                content: try SettingTable.value(Self.contentRoomName, in: db).flatMap { Int64($0) }
                    ?? RoomLimits.usualContent)
        }
    }

    /// Holds from the next time on that this device looks at what it keeps.
    ///
    /// - Throws: `refused` for what a device cannot work with.
    public func setRoomLimits(_ limits: RoomLimits) async throws {
        try limits.check()
        let content = limits.content == RoomLimits.usualContent ? nil : String(limits.content)
        try await database.write { db in
            try SettingTable.set(Self.metadataRoomName, to: limits.metadata.map(String.init), in: db)
            try SettingTable.set(Self.contentRoomName, to: content, in: db)
        }
    }

    /// Takes over what another process has set.
    package func readAgain() async throws { conditions.limit(to: try await rateLimit()) }

    /// The limit of this process alone.
    public func limitThisProcess(to bytesPerSecond: Int64?) { conditions.limit(to: bytesPerSecond) }
}
