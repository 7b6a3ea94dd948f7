import BothyContract

/// Writes down what a person does in the feed, and has it sent as far as that can be done now.
struct FeedJournal: Sendable {
    let store: FeedStore
    let account: AccountRepository
    let replica: ReplicaEngine
    let conditions: WorkConditions
    let environment: ClientEnvironment

    /// - Parameter requestId: nil for a new one.
    /// - Throws: what the server says to it at once.
    func perform(_ deed: FeedDeed, requestId: String? = nil) async throws -> FeedOperation {
        try checkSignIn()
        let id = requestId ?? OrderedId.new(at: environment.clock.now())
        let operation = try await store.record(deed, requestId: id)
        try await deliver(operation)
        return operation
    }

    private func deliver(_ operation: FeedOperation) async throws {
        try await send()
        if let refusal = await replica.takeRefusal(of: operation.id) { throw refusal }
    }

    /// What was done before, and waits.
    ///
    /// - Returns: whether the server has done it by now.
    /// - Throws: what the server says to it at once.
    func actAgain(_ waiting: FeedOperation) async throws -> Bool {
        try await deliver(waiting)
        return Self.isDone(try await store.operation(waiting.id))
    }

    /// What nobody did is sent into nobody's account.
    ///
    /// - Throws: `signInNeeded`.
    func checkSignIn() throws {
        guard try account.signedIn() != nil else {
            throw ClientFailure(.signInNeeded, "Nobody is signed in on this device.")
        }
    }

    /// What holds words of a person's.
    ///
    /// - Returns: whether the server has it by now.
    func write(_ deed: FeedDeed, requestId: String?) async throws -> Bool {
        try await outcome(of: try await perform(deed, requestId: requestId))
    }

    /// The author still has the text, and is told why it is refused. Nothing of it waits then.
    ///
    /// - Returns: whether the server has it by now.
    func outcome(of operation: FeedOperation) async throws -> Bool {
        let left = try await store.operation(operation.id)
        guard left?.state == .parked, let failure = left?.lastError else { return Self.isDone(left) }
        try await store.remove(operation.id)
        throw failure
    }

    /// - Returns: whether the server has done it by now.
    func act(_ deed: FeedDeed) async throws -> Bool {
        Self.isDone(try await store.operation(try await perform(deed).id))
    }

    private static func isDone(_ left: FeedOperation?) -> Bool { left.map { $0.state == .acknowledged } ?? true }

    /// The process that looks after this home sends it, where that is another one at the moment. A post takes the files along that it
    /// waits for, unless its owner holds back automatic work.
    @discardableResult
    func send() async throws -> ReplicaEngine.Push {
        var isAlone = true
        if try await store.waitsForFiles() { isAlone = try await conditions.hold(on: .byItself) != nil }
        return try await replica.push(only: .feed, lane: .feed, isAlone: isAlone)
    }
}
