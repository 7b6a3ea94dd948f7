import BothyClient
import BothyContract

/// The rules of a device: somebody is signed in, and has not paused.
package struct DeviceRules: AgentRules {
    private let home: DeviceHome

    package init(home: DeviceHome) { self.home = home }

    package func hold() async throws -> AgentHold? {
        guard try await home.account.readAgain() != nil else {
            return AgentHold(
                AgentStatusLine(
                    "account", .held, "Nobody is signed in on this device.", reason: FailureCode.signInNeeded.rawValue,
                    remedy: "Sign in with “bothy login”."))
        }
        return try await home.settings.pause().map { AgentHold($0) }
    }
}

extension AgentHold {
    package init(_ pause: DevicePause) {
        self.init(
            AgentStatusLine(
                "pause", pause.until == nil ? .held : .waiting, "You paused everything that goes on by itself.",
                reason: PauseReason.user.rawValue, remedy: "“bothy resume” goes on now."),
            until: pause.until)
    }
}
