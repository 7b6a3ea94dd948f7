import BothyContract

/// What a person does, written down before anything of it is shown.
extension ReplicaEngine {
    /// The journal, in order.
    public func operations() async throws -> [JournalOperation] { try await store().operations() }

    /// Whether the journal holds anything.
    func hasOperations() async throws -> Bool { try await store().hasOperations() }

    /// Whether something is on its way to the server, or would be next.
    func isSending() async throws -> Bool { try await store().isSending() }

    /// - Returns: nil for what is not in the journal, or not any more.
    public func operation(_ id: Int64) async throws -> JournalOperation? { try await store().operation(id) }

    /// Operations that the server has not done yet.
    public func countOfOpen() async throws -> Int { try await store().countOfOpen() }

    /// What has something to send yet, and whether that waits for a person.
    func waiting() async throws -> [LUID: Bool] {
        try await store().ground { ground in try OperationTable.waiting(in: ground.db) }
    }

    /// Writes down what is done, and shows it from now on.
    ///
    /// - Parameters:
    ///   - subject: nil for what is made by this.
    ///   - requestId: of a request that the server may have seen already; nil for a new one.
    ///   - collapsing: the trashing of what was never sent takes all of that back. Else it stays, to be brought back.
    /// - Returns: the operation; nil when it took back what was never sent.
    /// - Throws: what the server would say to it as things stand here.
    @discardableResult
    public func record(
        _ action: JournalOperation.Action, on subject: LUID? = nil, requestId: String? = nil, collapsing: Bool = true
    ) async throws -> JournalOperation? {
        let recorder = JournalRecorder(store: try store(), clock: environment.clock)
        let outcome = try await recorder.record(
            action, on: subject, requestId: requestId ?? JournalRecorder.newRequestId(), sent: requestId != nil,
            collapsing: collapsing)
        switch outcome {
        case .recorded(let operation):
            await show([operation])
            return operation
        case .collapsed(let gone, let places):
            for operation in gone { try await forget(operation, .removed, at: places[operation.id]) }
            return nil
        }
    }

    /// It is written down, whatever keeps it from being shown or sent at once: both go by what is written.
    func show(_ recorded: [JournalOperation]) async {
        for operation in recorded { try? await parts.look(at: operation, in: store()) }
        try? await runner?.wake()
    }

    /// A new attempt, now, of what waits for its time or for a person.
    ///
    /// - Returns: nil when there is no such operation, or nothing to try again.
    public func retry(_ id: Int64) async throws -> JournalOperation? {
        let store = try store()
        guard let waiting = try await store.operation(id) else { return nil }
        var machine = JournalMachine([waiting])
        guard let operation = machine.retry(id, now: environment.clock.now()) else { return nil }
        // A transfer that was canceled is over under its name: this is another one.
        let isAnew = operation.lastError?.code == .transferCanceled
        try await store.save([operation])
        if isAnew {
            try await store.transact { db in
                try OperationTable.renew(id, requestId: JournalRecorder.newRequestId(), in: db)
            }
        }
        try await parts.look(at: operation, in: store)
        try await runner?.wake()
        return operation
    }

    /// What would go with an operation that is discarded: those that need what it makes.
    public func needing(_ id: Int64) async throws -> [JournalOperation] {
        JournalMachine(try await store().operations()).needing(id)
    }

    /// Gives an operation up, with those that need it. Bytes that were kept for them alone go to the local trash.
    ///
    /// - Returns: all that are gone.
    @discardableResult
    public func discard(_ id: Int64) async throws -> [JournalOperation] {
        let doomed = try await operations().filter { $0.id == id } + needing(id)
        let places = try await places(of: doomed)
        let gone = try await JournalRecorder(store: try store(), clock: environment.clock).discard(id)
        for operation in gone {
            try await forget(operation, .discarded, at: places[operation.id])
            await letGo(ofUploadFor: operation)
        }
        return gone
    }
}
