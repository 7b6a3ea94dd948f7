import BothyContract

/// How often a request is tried again, and how long is waited between.
package struct RetryPolicy: Sendable, Equatable {
    /// Tries in all.
    package var attempts: Int
    /// The same where nobody takes the connection: that is known at once, and seldom over in a moment.
    package var attemptsUnconnected = Int.max
    /// Seconds in all that may be spent waiting.
    package var patience: Double
    /// The part of each wait that is waited: less than all where the caller has something else to do.
    package var share = 1.0

    package static let none = RetryPolicy(attempts: 1, patience: 0)
    /// For a person who waits, and is told at once where there is nothing to wait for.
    package static let interactive = RetryPolicy(attempts: 4, attemptsUnconnected: 1, patience: 10)
    /// For a person who can be shown something else, at once: what a second try mends is a connection that was broken off.
    package static let brief = RetryPolicy(attempts: 2, attemptsUnconnected: 1, patience: 1, share: 0.02)
    package static let background = RetryPolicy(attempts: 6, patience: 120)

    /// Seconds.
    package static let firstDelay = 1.0
    package static let longestDelay = 300.0
    /// While nothing answers at all, looking again is cheap, and coming back should be noticed.
    package static let longestOfflineDelay = 10.0
    /// A server that asks for more than this is asked again anyway.
    package static let longestAsked = 3600.0

    /// Seconds to wait after the `failures`th failure in a row: 1, 2, 4 … up to 5 minutes, with full jitter, and
    /// never less than the server asked for.
    ///
    /// Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
    ///
    /// - Parameter chance: 0 up to 1.
    package static func delay(after failure: ClientFailure, failures: Int, chance: Double) -> Double {
        let isNear = [.offline, .diskFull, .homeBusy].contains(failure.code) || failure.isOfGateway
        let longest = isNear ? longestOfflineDelay : longestDelay
        let ceiling = min(longest, firstDelay * Double(1 << min(max(failures - 1, 0), 16)))
        return max(ceiling * chance, min(failure.retryAfter ?? 0, longestAsked))
    }

    /// Looks in a row, one in less than a second, before nobody expects the way to the server to come back at any moment.
    package static let eagerLooks = 600
    /// The same where something on the way answers in the server's place: each look costs it a request.
    package static let eagerLooksThroughProxy = 60

    /// Seconds until it is looked again whether there is a way to the server, after the `failures`th look in a row that
    /// found none: what was done meanwhile is to meet as soon as it is back.
    ///
    /// Half a second up to one: everyone's stream ends at the same moment when a server goes, and not everyone is to be
    /// back in the same moment. Later, and where the server itself says no, as long as anything else waits.
    ///
    /// - Parameter chance: 0 up to 1.
    package static func untilNextLook(after failure: ClientFailure, failures: Int, chance: Double) -> Double {
        let eager = failure.code == .offline ? eagerLooks : failure.isOfGateway ? eagerLooksThroughProxy : 0
        guard failures <= eager, failure.retryAfter == nil else {
            return delay(after: failure, failures: failures, chance: chance)
        }
        return firstDelay * (1 + chance) / 2
    }

    /// - Returns: seconds to wait, or nil when it is over.
    package func delay(after failure: ClientFailure, attempt: Int, waited: Double, chance: Double) -> Double? {
        let most = failure.isUnconnected == true ? min(attempts, attemptsUnconnected) : attempts
        guard attempt < most, failure.isTransient else { return nil }
        let whole = Self.delay(after: failure, failures: attempt, chance: chance)
        let delay = max(whole * share, failure.retryAfter ?? 0)
        return waited + delay <= patience ? delay : nil
    }
}

extension ClientFailure {
    /// Nothing is wrong with the work itself: it resumes when the network or the server works again, however often it fails.
    package var isNetworks: Bool {
        code.isNetworks || (code != .contentDamaged && [429, 502, 503, 504].contains(status))
    }

    /// Something on the way has lost its server, and says so in its place.
    fileprivate var isOfGateway: Bool { problem == nil && (status == 502 || status == 504) }

    /// What a transfer tries again: besides what is transient, what only bytes that went wrong on the way explain,
    /// since what it asks is well formed, and what a server answers too. What nobody foresaw is tried a few times.
    package var isWorthRetrying: Bool {
        isTransient || code == .answerInvalid || code == .unexpected || problem?.code == .malformedRequest
    }

    /// Of this device's own database or disk, and passing: it says nothing about what was to be done, and costs it no attempt.
    package var isOwnTrouble: Bool {
        [.homeBusy, .homeUnusable, .diskFull, .diskFailed].contains(code) && problem == nil
    }

    /// Nothing is known of what the server there would answer: a certificate that ran out, a proxy's redirect.
    package var isUnanswered: Bool { isNetworks || [.untrustedServer, .redirected].contains(code) }

    /// The same request may well succeed later.
    package var isTransient: Bool {
        switch code {
        case .offline, .serverBusy, .serverFailed, .homeBusy: true
        default: false
        }
    }
}
