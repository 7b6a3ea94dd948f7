import BothyContract

/// Sends what was done with posts here, in its order, one after the other. One process of a home does at a time.
package actor FeedSender {
    /// How sending came to rest.
    package enum Rest: Equatable, Sendable {
        /// What is left waits for a person, or there is nothing.
        case done
        /// Another process of this home is sending.
        case elsewhere
        /// The next one waits until then.
        case until(Timestamp)
        /// Nothing can be sent now.
        case held(ClientFailure)
    }

    private let store: FeedStore
    private let perform: @Sendable (FeedOperation) async throws -> Comment?
    private let lockPath: String
    private let environment: ClientEnvironment
    private var sending: Task<Rest, any Error>?
    /// Why the server would not have what was dropped, for whoever has just done it.
    private var refusals = [Int64: ClientFailure]()
    private static let mostRefusals = 100

    /// - Parameter perform: does at the server what was done here, and returns the comment that was made by it; the same
    ///   operation may be asked for again.
    package init(
        store: FeedStore, lockPath: String, environment: ClientEnvironment,
        perform: @escaping @Sendable (FeedOperation) async throws -> Comment?
    ) {
        self.store = store
        self.perform = perform
        self.lockPath = lockPath
        self.environment = environment
    }

    /// Sends what can be sent now. Those who ask meanwhile are answered by a round that began after they asked.
    @discardableResult
    package func push() async throws -> Rest {
        let earlier = sending
        let task = Task {
            _ = await earlier?.result
            return try await sendAll()
        }
        sending = task
        return try await task.value
    }

    /// Why this was dropped; nil where it was not. Told once.
    package func takeRefusal(of id: Int64) -> ClientFailure? { refusals.removeValue(forKey: id) }

    /// Takes a post back before it is sent.
    ///
    /// - Returns: false where it is being sent, or was.
    package func discard(_ id: Int64) async throws -> Bool {
        _ = await sending?.result
        guard let lock = try FileLock.tryTake(lockPath) else { return false }
        defer { withExtendedLifetime(lock) {} }
        guard try await store.operations().contains(where: { $0.id == id && $0.state != .acknowledged }) else {
            return false
        }
        try await store.remove(id)
        return true
    }

    private func sendAll() async throws -> Rest {
        guard let first = try await next() else { return .done }
        if let rest = rest(before: first) { return rest }
        guard let lock = try FileLock.tryTake(lockPath) else { return .elsewhere }
        defer { withExtendedLifetime(lock) {} }
        while let operation = try await next() {
            if let rest = rest(before: operation) { return rest }
            if let rest = try await send(operation) { return rest }
        }
        return .done
    }

    private func next() async throws -> FeedOperation? {
        FeedMachine.next(of: try await store.operations().filter { $0.state == .pending })
    }

    private func rest(before operation: FeedOperation) -> Rest? {
        let now = environment.clock.now()
        guard let time = operation.nextAttemptAt, time > now else { return nil }
        // Nothing waits for so long: the calendar has been put back since.
        return time.seconds(since: now) > Int64(RetryPolicy.longestAsked) ? nil : .until(time)
    }

    /// - Returns: nil where the next one can be sent.
    private func send(_ operation: FeedOperation) async throws -> Rest? {
        do {
            let comment = try await perform(operation)
            try await store.acknowledge(operation, comment: comment)
        } catch let failure as ClientFailure {
            let verdict = FeedMachine.verdict(
                on: failure, of: operation, now: environment.clock.now(), chance: environment.chance())
            switch verdict {
            case .held: return .held(failure)
            case .again(let changed): try await store.update(changed)
            case .refused(let changed): try await store.update(changed)
            case .dropped:
                try await store.drop(operation, because: failure)
                refusals[operation.id] = failure
                // Whoever did it before the last ones does not ask any more.
                if refusals.count > Self.mostRefusals, let oldest = refusals.keys.min() { refusals[oldest] = nil }
            }
        }
        return nil
    }
}
