import BothyContract

/// What a person does, written down before anything of it is shown.
extension ReplicaEngine {
    /// What waits of files, in order.
    public func operations() async throws -> [JournalOperation] { try await store().operations() }

    /// The journal of all domains, in order.
    package func journal() async throws -> [any DomainOperation] { try await store().journal() }

    /// Whether the journal holds anything of files.
    func hasOperations() async throws -> Bool { try await store().hasOperations() }

    /// - Returns: nil for what is not in the journal, or not any more.
    public func operation(_ id: Int64) async throws -> JournalOperation? { try await store().operation(id) }

    /// Operations of files that the server has not done yet.
    public func countOfOpen() async throws -> Int { try await store().countOfOpen(.files) }

    /// The same of all domains.
    func countOfAllOpen() async throws -> Int { try await store().countOfOpen() }

    /// What is done in the feed and is not at the server yet, in order.
    func openFeedOperations() async throws -> [FeedOperation] {
        try await store().read { db in try FeedOperationTable.all(in: db).filter { $0.state != .acknowledged } }
    }

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
    package func retry(_ id: Int64) async throws -> (any DomainOperation)? {
        let store = try store()
        guard let waiting = try await store.entry(id) else { return nil }
        var machine = JournalMachine([waiting])
        guard let operation = machine.retry(id, now: environment.clock.now()) else { return nil }
        // A transfer that was canceled is over under its name: this is another one.
        let isAnew = operation.lastError?.code == .transferCanceled
        try await store.note([operation])
        if isAnew {
            try await store.transact { db in
                try OperationTable.renew(id, requestId: JournalRecorder.newRequestId(), in: db)
            }
        }
        if let file = operation as? JournalOperation { try await parts.look(at: file, in: store) }
        try await runner?.wake()
        return operation
    }

    /// What would go with an operation of files that is discarded: those that need what it makes.
    public func needing(_ id: Int64) async throws -> [JournalOperation] {
        try await entriesNeeding(id).compactMap { $0 as? JournalOperation }
    }

    /// The same, of any domain. What a person wrote stays, whatever became of the file that it was to show.
    package func entriesNeeding(_ id: Int64) async throws -> [any DomainOperation] {
        let journal = try await store().journal()
        let domain = journal.first { $0.id == id }?.domain
        return JournalMachine(journal).needing(id).filter { $0.domain == domain }
    }

    /// Gives an operation of files up, with those that need it. Bytes that were kept for them alone go to the local trash.
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

    /// The same, of any domain.
    ///
    /// - Throws: `refused` for what was written for others and is being sent at this moment, or is there already.
    package func discardEntry(_ id: Int64) async throws -> [any DomainOperation] {
        guard let doomed = try await store().entry(id) else { return [] }
        return doomed is JournalOperation ? try await discard(id) : try await discardUnsent(id)
    }

    /// What others may read already is not taken back by forgetting it here.
    private func discardUnsent(_ id: Int64) async throws -> [any DomainOperation] {
        let isSending = try await isUnderWay(id)
        let doomed = try await [id] + entriesNeeding(id).map(\.id)
        let gone = try await store().transact { db in
            var gone = [any DomainOperation]()
            for id in doomed {
                guard let operation = try OperationTable.any(id, in: db), operation.state != .acknowledged,
                    !(isSending && operation.state == .sending)
                else { break }
                try OperationTable.remove(id, in: db)
                gone.append(operation)
            }
            return gone
        }
        guard !gone.isEmpty else {
            throw ClientFailure(
                .refused, "It is being posted now, or is already posted.",
                remedy: "Check the feed; a published post can be deleted.")
        }
        try await runner?.wake()
        return gone
    }

    /// Whether somebody sends it now. What a process left that was killed is being sent by nobody.
    func isUnderWay(_ id: Int64) async throws -> Bool {
        if let runner { return await runner.isUnderWay(id) }
        guard let lock = try FileLock.tryTake(lockPath) else { return true }
        withExtendedLifetime(lock) {}
        return false
    }
}
