import BothyContract

/// Chooses how this device hears that something changed: by an event stream; by long polls where streams do not get
/// through; by asking now and then where neither does. Pure: what happened and the time in, the next step out.
///
/// A stream that a proxy holds back is told by its missing greeting, one that is cut by how short it lived, and a
/// long poll that is cut is made shorter. The better way is tried again after a while, and at once after an outage:
/// what comes back may be another network.
package struct WakeMachine: Sendable {
    package enum Way: String, Codable, CaseIterable, Sendable {
        case stream
        case longPoll = "long_poll"
        case poll
    }

    package enum Step: Equatable, Sendable {
        /// Hear what the event stream says next; open it where it is not.
        case listen
        /// Ask the server to answer when something is new, or after so many seconds.
        case wait(seconds: Int)
        case rest(seconds: Double)
    }

    package enum Event: Equatable, Sendable {
        /// The stream is open, and what the server writes arrives.
        case greeted
        /// The stream was asked for, and nothing of it came in time.
        case mute
        /// - Parameter lived: seconds since the greeting; 0 without one.
        case streamEnded(ClientFailure?, lived: Double)
        case answered(changed: Bool, backoff: Int?)
        /// - Parameter lived: seconds since the question.
        case waitFailed(ClientFailure, lived: Double)
        case rested
    }

    package private(set) var way = Way.stream
    /// Why nothing is heard now; nil while all is well.
    package private(set) var failure: ClientFailure?

    private let times: WakeTimes
    private var resting: Double?
    /// Attempts in a row that came to nothing, on whatever way.
    private var failures = 0
    /// Streams in a row that did not live long.
    private var shortStreams = 0
    /// Streams came to nothing, and a short question is to tell whether it is them or the network.
    private var isProbing = false
    /// It was them, as far as one question can tell.
    private var hasProbed = false
    private var waitSeconds: Int
    private var pollInterval: Double
    /// When streams are tried again, in uptime; and how long that was put off.
    private var streamAgainAt = 0.0
    private var streamPutOff: Double

    package init(times: WakeTimes = WakeTimes()) {
        self.times = times
        waitSeconds = times.longestWait
        pollInterval = times.firstPoll
        streamPutOff = times.firstPutOff
    }

    /// - Parameter now: seconds of uptime.
    package mutating func step(now: Double) -> Step {
        if let resting { return .rest(seconds: resting) }
        if way != .stream, now >= streamAgainAt {
            way = .stream
            shortStreams = 0
            hasProbed = false
        }
        switch way {
        case .stream: return .listen
        case .longPoll where isProbing: return .wait(seconds: times.shortestAsk)
        case .longPoll: return .wait(seconds: waitSeconds)
        case .poll: return .wait(seconds: times.shortestAsk)
        }
    }

    /// - Parameters:
    ///   - now: seconds of uptime.
    ///   - chance: 0 up to 1, for jitter.
    /// - Throws: the failure that time does not heal.
    package mutating func handle(_ event: Event, now: Double, chance: Double) throws(ClientFailure) {
        switch event {
        case .rested: resting = nil
        case .greeted: recover()
        case .mute: leaveStreams(now: now)
        case .streamEnded(let failure, let lived):
            try streamEnded(failure, lived: lived, now: now, chance: chance)
        case .answered(let changed, let backoff):
            recover()
            if isProbing { tryStreamsOnceMore() }
            if let backoff, backoff > 0 {
                resting = min(Double(backoff), RetryPolicy.longestAsked)
            } else if way == .poll {
                pollInterval = changed ? times.firstPoll : min(times.longestPoll, pollInterval * 2)
                resting = changed ? nil : pollInterval
            }
        case .waitFailed(let failure, let lived):
            try waitFailed(failure, lived: lived, now: now, chance: chance)
        }
    }

    private mutating func recover() {
        failures = 0
        failure = nil
    }

    private mutating func streamEnded(
        _ failure: ClientFailure?, lived: Double, now: Double, chance: Double
    ) throws(ClientFailure) {
        if let failure, !failure.isHealedByTime, failure.isFinalForStreams { throw failure }
        if lived >= times.longLife {
            shortStreams = 0
            hasProbed = false
            streamPutOff = times.firstPutOff
            // Everyone's stream ends when a server stops: they come back spread over a second.
            resting = RetryPolicy.firstDelay * chance
            return
        }
        if let failure, failure.code != .offline, failure.code != .serverFailed {
            // Refused outright: too many streams, or something on the way that knows none.
            return leaveStreams(now: now)
        }
        shortStreams += 1
        if shortStreams >= times.patience {
            leaveStreams(now: now)
            isProbing = !hasProbed
        }
        rest(after: failure ?? Self.cut, chance: chance)
    }

    private mutating func waitFailed(
        _ failure: ClientFailure, lived: Double, now: Double, chance: Double
    ) throws(ClientFailure) {
        guard failure.isHealedByTime else { throw failure }
        if way == .longPoll, lived >= Double(times.shortestWait), failure.code != .serverFailed {
            // Something on the way ends requests that stand still: ask for less.
            waitSeconds = Int(lived / 2)
            if waitSeconds < times.shortestWait { way = .poll }
            return
        }
        if failure.code == .offline {
            isProbing = false
            streamAgainAt = now
            streamPutOff = times.firstPutOff
            waitSeconds = times.longestWait
        }
        rest(after: failure, chance: chance)
    }

    private mutating func rest(after failure: ClientFailure, chance: Double) {
        failures += 1
        self.failure = failure
        resting = RetryPolicy.untilNextLook(after: failure, failures: failures, chance: chance)
    }

    /// Questions are answered: the next stream that comes to nothing is left for a while.
    private mutating func tryStreamsOnceMore() {
        isProbing = false
        hasProbed = true
        shortStreams = times.patience - 1
        way = .stream
    }

    private mutating func leaveStreams(now: Double) {
        way = .longPoll
        waitSeconds = times.longestWait
        pollInterval = times.firstPoll
        streamAgainAt = now + streamPutOff
        streamPutOff = min(times.longestPutOff, streamPutOff * 2)
    }

    private static let cut = ClientFailure(.offline, "The server's event stream was cut.")
}

/// The bounds of waiting for changes, in seconds.
package struct WakeTimes: Sendable {
    /// A stream greets as soon as it is open; one that does not by then is held back on the way.
    package var greeting = 5.0
    /// A stream that lived so long was not cut by what keeps streams from living.
    package var longLife = 30.0
    /// Short streams in a row after which another way is taken.
    package var patience = 3
    /// One long poll: below what a connection may stand still.
    package var longestWait = 50
    /// Long polls shorter than this are no better than asking now and then.
    package var shortestWait = 5
    /// What asking now and then has the server wait.
    package var shortestAsk = 1
    package var firstPoll = 5.0
    package var longestPoll = 60.0
    /// Until streams are tried again: doubled each time they fail.
    package var firstPutOff = 60.0
    package var longestPutOff = 3600.0

    package init() {}
}

extension ClientFailure {
    /// Waiting may bring it right: the network's, a busy server's, an account that is disabled, or something on the way (a hotel's
    /// sign-in page, a proxy that has lost its server) that answers in the server's place.
    package var isHealedByTime: Bool {
        // The operator who disabled an account may enable it again, and tells nobody.
        if isTransient || problem?.code == .accountDisabled { return true }
        switch code {
        case .answerInvalid, .redirected, .untrustedServer, .proxyLimit: return true
        case .signInNeeded: return false
        default: return status != nil && problem == nil
        }
    }

    /// What a long poll would be told as well.
    fileprivate var isFinalForStreams: Bool { code == .signInNeeded || problem?.code == .cursorExpired }
}
