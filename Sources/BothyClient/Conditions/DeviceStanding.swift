import BothyContract

/// The quiet line: how this device stands, at a glance, and never otherwise than it is.
public struct QuietLine: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        /// Nobody is signed in, or the session has ended.
        case signInNeeded
        /// A rule holds automatic work, until this moment where it ends by itself.
        case paused(rule: String, until: Timestamp?)
        /// There is no way to the server; since then, where that is known.
        case offline(since: Timestamp?)
        /// What is new on the server cannot be written down: this device's disk is full.
        case diskFull
        /// So many things wait for a person; the first of them are these.
        case asks(Int, Asking)
        case working
        case inStep
    }

    /// What waits for a person.
    public enum Asking: Equatable, Sendable {
        case folders, conflicts, transfers
    }

    /// How many of each wait for a person.
    public struct Asked: Equatable, Sendable {
        public var folders: Int
        public var conflicts: Int
        public var transfers: Int

        public init(folders: Int = 0, conflicts: Int = 0, transfers: Int = 0) {
            self.folders = folders
            self.conflicts = conflicts
            self.transfers = transfers
        }

        var kind: Kind? {
            let all = folders + conflicts + transfers
            if folders > 0 { return .asks(all, .folders) }
            if conflicts > 0 { return .asks(all, .conflicts) }
            return transfers > 0 ? .asks(all, .transfers) : nil
        }
    }

    public var kind: Kind
    /// Transfers and changes that have not ended.
    public var open: Int
    /// When all that the server had was last known here.
    public var asOf: Timestamp?

    public init(kind: Kind, open: Int, asOf: Timestamp? = nil) {
        self.kind = kind
        self.open = open
        self.asOf = asOf
    }

    /// What is told first of all that holds: what stops everything, before what stops a part.
    ///
    /// - Parameter offline: nil where what is new on the server comes.
    public init(
        isSignedIn: Bool, pause: Condition?, offline: Offline?, asked: Asked, open: Int, isWorking: Bool,
        asOf: Timestamp?
    ) {
        var kind = Kind.inStep
        if !isSignedIn {
            kind = .signInNeeded
        } else if let pause {
            var end: Timestamp?
            if case .holds(let until) = pause.effect { end = until }
            kind = .paused(rule: pause.rule, until: end)
        } else if let offline {
            kind = offline.isDiskFull ? .diskFull : .offline(since: offline.since)
        } else if let asks = asked.kind {
            kind = asks
        } else if open > 0 || isWorking {
            kind = .working
        }
        self.init(kind: kind, open: open, asOf: asOf)
    }

    /// What is new on the server does not come.
    public struct Offline: Equatable, Sendable {
        public var since: Timestamp?
        /// There is a way to the server, and no room here.
        public var isDiskFull: Bool

        public init(since: Timestamp? = nil, isDiskFull: Bool = false) {
            self.since = since
            self.isDiskFull = isDiskFull
        }
    }
}

/// How this device stands, as screens tell it.
///
/// Every method throws `ClientFailure`.
public protocol DeviceStanding: Sendable {
    func line() async throws -> QuietLine

    /// The same now, and whenever it has changed, until the listener goes.
    func lines() -> AsyncThrowingStream<QuietLine, any Error>

    /// Holds all automatic work.
    ///
    /// - Parameter seconds: until it ends by itself; nil for when it is lifted.
    func pause(seconds: Int64?) async throws

    /// Lets everything go on.
    func resume() async throws
}
