import BothyContract

/// What becomes of an operation of the feed when the server has answered, or has not. Values in, a decision out.
package enum FeedMachine {
    /// Failures that were not the network's, after which others go first, and a post waits for a person.
    package static let patience = 5

    package enum Verdict: Equatable, Sendable {
        /// Nothing can be sent now, and that says nothing about this operation.
        case held
        /// It stays in its place, and is tried again at its time.
        case again(FeedOperation)
        /// The server will not have it, and a person should know.
        case refused(FeedOperation)
        /// The server has refused it for good, and it holds no words of a person's: a like of what is gone.
        case dropped
    }

    /// What is to be sent next: in their order, but for what has failed again and again, which keeps only what is about the same
    /// post back.
    ///
    /// - Parameter pending: in their order.
    package static func next(of pending: [FeedOperation]) -> FeedOperation? {
        var stuck = Set<Int64>()
        for operation in pending {
            if operation.attempts < patience, operation.post.map({ !stuck.contains($0) }) ?? true { return operation }
            if let post = operation.post { stuck.insert(post) }
        }
        return pending.first
    }

    /// - Parameter chance: 0 up to 1, for the jitter.
    package static func verdict(
        on failure: ClientFailure, of operation: FeedOperation, now: Timestamp, chance: Double
    ) -> Verdict {
        let isHeld =
            failure.isUnanswered || failure.code == .signInNeeded || failure.problem?.code == .accountDisabled
        if isHeld { return .held }
        var operation = operation
        operation.lastError = failure
        if failure.isOwnTrouble {
            let delay = RetryPolicy.delay(after: failure, failures: patience, chance: chance)
            operation.nextAttemptAt = now.adding(milliseconds: Int64(delay * 1000))
            return .again(operation)
        }
        if failure.code == .canceled || failure.isWorthRetrying {
            operation.attempts += 1
            if operation.attempts < patience || !operation.holdsWords {
                let delay = RetryPolicy.delay(after: failure, failures: operation.attempts, chance: chance)
                operation.nextAttemptAt = now.adding(milliseconds: Int64(delay * 1000))
                return .again(operation)
            }
        }
        guard operation.holdsWords else { return .dropped }
        operation.state = .refused
        operation.nextAttemptAt = nil
        return .refused(operation)
    }
}
