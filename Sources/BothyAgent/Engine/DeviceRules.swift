import BothyClient
import BothyContract

/// The rules of a device: somebody is signed in, and nothing holds back automatic work.
package struct DeviceRules: AgentRules {
    private let home: DeviceHome

    package init(home: DeviceHome) { self.home = home }

    package func hold() async throws -> AgentHold? {
        try await home.settings.readAgain()
        guard try await home.account.readAgain() != nil else {
            return AgentHold(
                AgentStatusLine(
                    "account", .held, "Nobody is signed in on this device.", reason: FailureCode.signInNeeded.rawValue,
                    remedy: "Sign in with “bothy login”."))
        }
        return try await home.conditions.hold(on: .byItself).map { AgentHold($0) }
    }

    package func turned(from hold: AgentHold?) async throws -> Bool {
        // What else holds is somebody's word, and taking it back is told.
        let rest = hold.flatMap { DeviceRest(rawValue: $0.line.part) }
        guard hold == nil || rest != nil else { return false }
        return try await home.turned(from: rest)
    }
}

extension AgentHold {
    package init(_ condition: Condition) {
        var until: Timestamp?
        if case .holds(let end) = condition.effect { until = end }
        self.init(AgentStatusLine(condition), until: until)
    }
}

extension AgentStatusLine {
    /// What a rule says, as a line of the status.
    package init(_ condition: Condition) {
        let isPersons = condition.rule == Condition.Rule.pause
        let state: State =
            switch condition.effect {
            case .holds(let end): end == nil && isPersons ? .held : .waiting
            case .slows: .working
            }
        var reason: String?
        if case .holds = condition.effect { reason = isPersons ? PauseReason.user.rawValue : condition.rule }
        self.init(condition.rule, state, condition.words, reason: reason, remedy: condition.remedy)
    }
}
