import BothyClient

/// The first thing that each end says. Its shape never changes, so that any two versions can tell each other apart.
package struct AgentHello: Codable, Equatable, Sendable {
    /// The language of what follows the hello.
    package static let language = 1

    package var language: Int
    package var version: AgentVersion
    package var pid: Int32

    package init(language: Int = AgentHello.language, version: AgentVersion, pid: Int32) {
        self.language = language
        self.version = version
        self.pid = pid
    }
}

/// What a command asks of the agent; one request a connection. Hanging up cancels it.
package enum AgentRequest: Codable, Equatable, Sendable {
    /// What it does, and what it waits for.
    case status
    /// Something has changed on this device (an account, a pause, a binding, work to do): look at it now. Answered
    /// once it was looked at.
    case look
    /// Stay connected for as long as a command works; when the line ends, however it ends, what the command left is
    /// looked after.
    ///
    /// `runner` is the command's name in the transfers that it runs.
    case attend(runner: String)
    /// Let a command do itself what a part does for `subject`: granted once the part has let go of it, and taken back
    /// when the command hangs up.
    case lend(part: String, subject: String)
    /// Serve the web app to this machine's browsers, and let one in: answered with the way in at once, and done when that
    /// was used or is over.
    case browse
    /// End in order.
    case stop
}

/// What the agent answers: any number of them, the last one an ending.
package enum AgentAnswer: Codable, Equatable, Sendable {
    case status(AgentStatus)
    /// What was to be lent is the command's, until it hangs up.
    case granted
    /// - Parameters:
    ///   - address: of the web app: `http://127.0.0.1:8421`.
    ///   - token: good once, and for half a minute.
    case entrance(address: String, token: String)
    case done
    case failed(ClientFailure)
}
