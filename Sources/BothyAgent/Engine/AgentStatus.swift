import BothyClient
import BothyContract

/// What an agent does and waits for, as it tells its callers.
package struct AgentStatus: Codable, Equatable, Sendable {
    package var version: AgentVersion
    package var pid: Int32
    package var startedAt: Timestamp
    package var lines: [AgentStatusLine]

    package init(version: AgentVersion, pid: Int32, startedAt: Timestamp, lines: [AgentStatusLine]) {
        self.version = version
        self.pid = pid
        self.startedAt = startedAt
        self.lines = lines
    }
}

/// How one thing stands that the agent looks after.
package struct AgentStatusLine: Codable, Equatable, Sendable {
    package enum State: String, Codable, CaseIterable, Sendable {
        /// Nothing is to be done.
        case idle
        case working
        /// It continues by itself once what `reason` names is over.
        case waiting
        /// It resumes when somebody does what `remedy` says.
        case held
    }

    /// The part that tells it: a stable word.
    package var part: String
    /// What it is about, where a part looks after several things.
    package var subject: String?
    package var state: State
    package var words: String
    /// A stable word for why it waits or is held.
    package var reason: String?
    package var remedy: String?
    /// Since when it stands so.
    package var since: Timestamp?

    package init(
        _ part: String, _ state: State, _ words: String, subject: String? = nil, reason: String? = nil,
        remedy: String? = nil, since: Timestamp? = nil
    ) {
        self.part = part
        self.state = state
        self.words = words
        self.subject = subject
        self.reason = reason
        self.remedy = remedy
        self.since = since
    }

    /// One that a failure stands in the way of.
    package init(_ part: String, _ failure: ClientFailure, subject: String? = nil, since: Timestamp? = nil) {
        self.init(
            part, failure.isHealedByTime ? .waiting : .held, failure.words, subject: subject,
            reason: failure.code.rawValue, remedy: failure.remedy, since: since)
    }
}
