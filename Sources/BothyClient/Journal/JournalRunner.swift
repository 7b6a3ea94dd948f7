import BothyContract
import Synchronization

/// Sends the journal: asks the machine what is due, does it, tells it the answers. One runs per home at a time.
package actor JournalRunner {
    /// How a push came to rest.
    package enum Rest: Equatable, Sendable {
        /// Everything that can be sent was sent. What is left waits for a person, or for its time.
        case done
        /// Nothing can be sent now.
        case held(JournalMachine.Hold)
    }

    /// What happened to the journal.
    package enum Event: Sendable {
        case changed(any DomainOperation)
        case retired(any DomainOperation)
        /// Refused for good, with its reason, it was taken back.
        case rolledBack(any DomainOperation)
    }

    private let store: ReplicaStore
    private let drive: any DriveProvider
    private let domains: [JournalDomainName: any JournalDomain]
    private let clock: any ClientClock
    private let chance: @Sendable () -> Double
    private let sideBySide: Bool
    private let told: @Sendable (Event) async -> Void
    private var machine: JournalMachine
    private let answers = JournalAnswers()
    /// Those that went together have one task.
    private var sending = [Int64: Task<Void, Never>]()
    private var stopped = false
    /// Readings of the journal that were begun, the one that the machine has taken in, and the first that has all that it was told of.
    private var (begun, taken, wanted) = (0, 0, 0)
    /// How far the journal was taken in; nil before it was read at all.
    private var place: ViewChangeTable.Place?
    /// Whether it is known whose drive is signed in to, since somebody was last told to look.
    private var isOwnerKnown = false
    /// What the machine knows already is being written down.
    private var isSettling = false
    /// Those who wait until nothing of a lane goes on.
    private var resting = [(lane: JournalMachine.Lane, heard: CheckedContinuation<Void, Never>)]()

    /// - Parameters:
    ///   - domains: those whose operations are sent, beside files. Of the others only what these wait for is seen.
    ///   - alone: without files.
    ///   - width: operations that may be under way at once, of all kinds.
    ///   - sideBySide: false sends one after the other and hears the answers then, in the order of the journal: a world
    ///     that is replayed from its seed has no other order.
    ///   - told: each change, once it is on the disk.
    package init(
        store: ReplicaStore, drive: any DriveProvider, domains: [any JournalDomain] = [], alone: Bool = false,
        clock: any ClientClock, chance: @escaping @Sendable () -> Double, width: Int = .max, sideBySide: Bool = true,
        told: @escaping @Sendable (Event) async -> Void = { _ in }
    ) {
        self.store = store
        self.sideBySide = sideBySide
        self.drive = drive
        let files: [any JournalDomain] = alone ? [] : [FilesDomain(store: store, drive: drive)]
        self.domains = Dictionary(uniqueKeysWithValues: (files + domains).map { ($0.name, $0) })
        machine = JournalMachine(width: width, sending: Set(self.domains.keys))
        self.clock = clock
        self.chance = chance
        self.told = told
    }

    // MARK: - Running

    /// Sends what can be sent, and returns when nothing more can be for now.
    package func push() async throws -> Rest {
        try await reload()
        var bell = answers.bell.makeAsyncIterator()
        while true {
            try await sendWhatIsDue()
            if sending.isEmpty { return machine.hold.map(Rest.held) ?? .done }
            guard await bell.next() != nil else { return .done }
            try await take(answers.take())
        }
    }

    /// Sends whatever comes, until `stop`.
    package func run() async throws {
        try await reload()
        var bell = answers.bell.makeAsyncIterator()
        while !stopped {
            try await sendWhatIsDue()
            tellWhoWaits()
            let alarm = machine.nextTime.map(wakeUp)
            guard await bell.next() != nil else { break }
            alarm?.cancel()
            if taken < wanted { try await reload() }
            try await take(answers.take())
        }
    }

    /// Ends `run`. What is under way goes on to its end at the drive, and is asked for again by the next runner.
    package func stop() async {
        stopped = true
        for task in sending.values { task.cancel() }
        tellWhoWaits()
        answers.wake()
    }

    /// The journal has changed, or there is a way to the server again: what waits is tried at once.
    package func wake() async throws {
        machine.cameOnline()
        machine.signedIn()
        isOwnerKnown = false
        // Where it cannot be read now, the sender reads it before anything else.
        wanted = begun + 1
        defer { answers.wake() }
        try await reload()
    }

    /// Until what can be sent of a lane now was sent and answered, or nothing can be sent.
    package func rest(of lane: JournalMachine.Lane) async {
        guard !stopped, isSettling || !machine.isAtRest(lane, at: clock.now()) else { return }
        await withCheckedContinuation { resting.append((lane, $0)) }
    }

    /// Whether it is being sent at this moment.
    func isUnderWay(_ id: Int64) -> Bool { sending[id] != nil }

    /// Why nothing at all is sent; nil where it is.
    package var hold: JournalMachine.Hold? { machine.hold }

    private func tellWhoWaits() {
        let now = clock.now()
        let heard = resting.filter { stopped || machine.isAtRest($0.lane, at: now) }
        resting.removeAll { stopped || machine.isAtRest($0.lane, at: now) }
        for waiting in heard { waiting.heard.resume() }
    }

    private func wakeUp(at time: Timestamp) -> Task<Void, Never> {
        let seconds = Double(max(0, time.milliseconds - clock.now().milliseconds)) / 1000
        return Task { [clock, answers] in
            guard (try? await clock.sleep(seconds: seconds)) != nil else { return }
            answers.wake()
        }
    }

    /// Takes in what others have written, and forgets what has left.
    private func reload() async throws {
        begun += 1
        let reading = begun
        let news = try await store.journalNews(since: place)
        // Several may read at once, and what was read later is not undone by what was read before.
        guard reading > taken else { return }
        taken = reading
        place = news.place
        for id in left(news) {
            machine.remove(id)
            // Those that went with it go on.
            guard let task = sending[id],
                sending.allSatisfy({ $0.value != task || machine.operations[$0.key] == nil })
            else { continue }
            task.cancel()
        }
        var again = [any DomainOperation]()
        for operation in seen(of: news.operations) {
            guard let known = machine.operations[operation.id] else {
                machine.add(operation)
                continue
            }
            if operation.state == .acknowledged, known.state != .acknowledged {
                _ = machine.acknowledge(
                    operation.id, version: operation.acknowledgedVersion ?? 0, now: operation.updatedAt)
            } else if known.state == .acknowledged, operation.state == .queued {
                again.append(operation)
            } else if known.waitsForAPerson, operation.state == .queued {
                // What was decided may stand under the number of what it was decided about.
                if known.requestId == operation.requestId {
                    _ = machine.retry(operation.id, now: clock.now())
                } else {
                    again.append(operation)
                }
            } else if known.state == .queued, operation.waitsForAPerson, known.requestId != operation.requestId {
                // What stood in its place was taken back.
                again.append(operation)
            } else if known.state == .queued, operation.state == .queued, known.attempts > operation.attempts,
                known.updatedAt < operation.updatedAt
            {
                // Somebody wants it tried at once, and all its tries again.
                _ = machine.retry(operation.id, now: clock.now())
            }
            if known.state == .queued, operation.state == .queued,
                operation.facts.needs.isStrictSubset(of: known.facts.needs)
            {
                // It does without something that it waited for.
                again.append(operation)
            }
            if !known.sent { machine.update(operation) }
        }
        if !again.isEmpty { machine.takeAnew(again) }
    }

    /// What is sent, and what that may have to wait for.
    private func seen(of operations: [any DomainOperation]) -> [any DomainOperation] {
        guard domains.count < JournalDomainName.allCases.count else { return operations }
        var needed = Set<LUID>()
        for operation in operations where domains[operation.domain] != nil {
            let facts = operation.facts
            needed.formUnion(facts.needs.subtracting([facts.subject]))
        }
        return operations.filter { operation in
            domains[operation.domain] != nil || machine.operations[operation.id] != nil
                || (!needed.isEmpty && needed.contains(operation.facts.subject))
        }
    }

    /// Operations of the machine's that are not in the journal any more.
    private func left(_ news: ReplicaStore.JournalNews) -> [Int64] {
        if let gone = news.gone { return gone }
        let ids = Set(news.operations.map(\.id))
        return machine.operations.keys.filter { !ids.contains($0) }
    }

    /// Something can be sent once the cache has what was sent before.
    package var waitsForNews: Bool { machine.waitsForNews }

    // MARK: - Sending

    /// What one account's person did is sent into no other account.
    ///
    /// Asked before something is sent, and not when it is written down: the person who has done something waits for nothing of this.
    private func checkOwner() async throws {
        guard !isOwnerKnown, !machine.operations.isEmpty else { return }
        guard !machine.isHeld(at: clock.now()) else { return }
        let owner: DriveIdentity
        do {
            owner = try await drive.authenticate()
        } catch let failure as ClientFailure where failure.code == .signInNeeded || failure.isNetworks {
            guard let told = machine.withhold(failure, now: clock.now(), chance: chance()) else { return }
            try await store.note([told])
            await self.told(.changed(told))
            return
        }
        isOwnerKnown = true
        guard let known = try await store.state().accountId, known != owner.accountId else { return }
        machine.refuse(ReplicaPuller.ofAnotherAccount)
    }

    private func sendWhatIsDue() async throws {
        try await checkOwner()
        guard !stopped else { return }
        let due = machine.next(now: clock.now())
        // Written down as sent before it leaves: what was sent is never taken back as if it had not been.
        let leaving = try await store.begin(due, domains)
        let gone = Set(due.map(\.id)).subtracting(leaving.map(\.id))
        for id in gone { machine.remove(id) }
        for operation in leaving {
            machine.update(operation)
            await told(.changed(operation))
        }
        for (domain, company) in companies(leaving) {
            let task = Task { [answers] in
                let sent = await domain.send(company)
                answers.add(
                    zip(company, sent).map { operation, answer in
                        JournalAnswers.Answer(id: operation.id, outcome: answer.mapError(Self.failure))
                    })
            }
            for operation in company { sending[operation.id] = task }
            if !sideBySide { await task.value }
        }
        // What waited for those is free now.
        if !gone.isEmpty { try await sendWhatIsDue() }
    }

    private static func failure(_ error: any Error) -> ClientFailure {
        if let failure = error as? ClientFailure { return failure }
        if error is CancellationError { return ClientFailure(.canceled, "It was stopped.") }
        return ClientFailure(.unexpected, "An unexpected error occurred: \(error).")
    }

    /// Which leave together, as their domains say.
    private func companies(
        _ leaving: [any DomainOperation]
    ) -> [(domain: any JournalDomain, company: [any DomainOperation])] {
        guard sideBySide else {
            return leaving.compactMap { operation in domains[operation.domain].map { ($0, [operation]) } }
        }
        return JournalDomainName.allCases.compactMap { domains[$0] }.flatMap { domain in
            domain.together(leaving.filter { $0.domain == domain.name }).map { (domain, $0) }
        }
    }

    /// All are written down by one transaction, each as if it had come alone.
    private func take(_ come: [JournalAnswers.Answer]) async throws {
        var settlements = [Settlement]()
        for answer in come {
            sending[answer.id] = nil
            switch answer.outcome {
            case .success(let done):
                guard let operation = machine.acknowledge(answer.id, version: done.version, now: clock.now()) else {
                    continue
                }
                settlements.append(.acknowledged(operation, done))
            case .failure(let failure):
                // Stopping this process decides nothing about the operation.
                if stopped, failure.code == .canceled { continue }
                guard let operation = machine.fail(answer.id, failure, now: clock.now(), chance: chance()) else {
                    continue
                }
                let isOver = operation.waitsForAPerson && operation.facts.rollsBack
                settlements.append(isOver ? .refused(operation) : .failed(operation))
            }
        }
        try await settle(settlements)
    }

    private func settle(_ settlements: [Settlement]) async throws {
        isSettling = true
        defer { isSettling = false }
        let results = try await store.settle(settlements, domains)
        for (settlement, result) in zip(settlements, results) {
            let operation = settlement.operation
            for changed in result.changed { machine.update(changed) }
            guard result.isRetired else {
                await told(.changed(machine.operations[operation.id] ?? operation))
                continue
            }
            machine.remove(operation.id)
            if case .refused = settlement {
                await told(.rolledBack(operation))
            } else {
                await told(.retired(operation))
            }
        }
    }
}
