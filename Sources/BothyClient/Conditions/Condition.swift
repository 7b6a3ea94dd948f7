import BothyContract

/// Work, as the rules that may hold it back see it.
public enum Work: Sendable, CaseIterable {
    /// A person typed it and waits for it.
    case typed
    /// Automatic work: what the agent does, and sending along what waited.
    case byItself
}

/// What a rule says at this moment, in words.
public struct Condition: Codable, Equatable, Sendable {
    /// What a rule does to work.
    public enum Effect: Codable, Equatable, Sendable {
        /// Automatic work rests; until this moment where it ends by itself.
        case holds(until: Timestamp?)
        /// Bytes a second, each way.
        case slows(to: Int64)
    }

    /// What the rules are called, which never changes.
    public enum Rule {
        public static let pause = "pause"
        public static let battery = DeviceRest.battery.rawValue
        public static let metered = DeviceRest.metered.rawValue
        public static let rate = "rate"
    }

    /// One of ``Rule``.
    public var rule: String
    public var effect: Effect
    /// What holds, in a sentence for a person.
    public var words: String
    /// What to do about it, in a sentence.
    public var remedy: String

    /// Whether this work must wait.
    public func holds(_ work: Work) -> Bool {
        guard case .holds = effect else { return false }
        return work == .byItself
    }
}

/// Something about this device, or said by its owner, that may hold work back. What is added here is
/// asked by everything that works: the journal, transfers, and synced folders.
package protocol ConditionRule: Sendable {
    /// - Returns: nil where nothing stands in the way.
    func condition(now: Timestamp) async throws -> Condition?
}

/// The rules of a device, asked together.
public struct WorkConditions: Sendable {
    private let rules: [any ConditionRule]
    private let clock: any ClientClock

    package init(_ rules: [any ConditionRule], clock: any ClientClock) {
        self.rules = rules
        self.clock = clock
    }

    /// Everything that has a say at this moment.
    public func standing() async throws -> [Condition] {
        let now = clock.now()
        var standing = [Condition]()
        for rule in rules {
            if let condition = try await rule.condition(now: now) { standing.append(condition) }
        }
        return standing
    }

    /// What holds this work back; nil where it may begin.
    public func hold(on work: Work) async throws -> Condition? {
        try await standing().first { $0.holds(work) }
    }
}

/// The person has paused this device.
package struct PauseRule: ConditionRule {
    private let settings: DeviceSettings

    package init(settings: DeviceSettings) { self.settings = settings }

    package func condition(now: Timestamp) async throws -> Condition? {
        try await settings.pause().map(Self.condition(of:))
    }

    package static func condition(of pause: DevicePause) -> Condition {
        Condition(
            rule: Condition.Rule.pause, effect: .holds(until: pause.until),
            words: "You paused background sync and transfers.", remedy: "“bothy resume” ends the pause.")
    }
}

/// The person has set how fast transfers go.
package struct RateRule: ConditionRule {
    private let settings: DeviceSettings

    package init(settings: DeviceSettings) { self.settings = settings }

    package func condition(now: Timestamp) async throws -> Condition? {
        try await settings.rateLimit().map { rate in
            Condition(
                rule: Condition.Rule.rate, effect: .slows(to: rate), words: "The transfer rate is limited.",
                remedy: "“bothy config limit-rate off” removes the limit.")
        }
    }
}
