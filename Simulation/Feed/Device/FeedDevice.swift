import BothyClient
import BothyContract

/// One device of a feed's world, as its process has it: the store, the journal and the runner that people use, over a SQLite in memory
/// that outlives kills as it was committed.
///
/// Unchecked because a world awaits one thing at a time: nothing here is ever touched by two.
final class FeedDevice: @unchecked Sendable {
    let index: Int
    let person: Int64
    let name: String
    let clock: SimulatedClock
    let server: SimulatedFeedServer
    private(set) var replica: ReplicaStore
    private(set) var store: FeedStore
    /// What the server has told it.
    var known = FeedKnowledge()
    /// Whether there is a way to the server.
    var hasSignal = true
    /// What the person at it does is numbered.
    var wishes = 0

    private let settings: ClientDatabase
    private let drive: any DriveProvider
    /// Sends the journal for as long as its process lives.
    private var runner: JournalRunner?
    private var conditions = FeedConditions()
    private var dice = SeededRandom(0)
    private var calls = 0
    private(set) var hasCrashed = false
    /// Requests whose answers the process has heard, and not written down.
    private var answered = Set<String>()

    /// - Parameters:
    ///   - number: among the devices of its person, from 0.
    ///   - replica: an empty one.
    init(
        index: Int, person: Int64, number: Int, server: SimulatedFeedServer, replica: ReplicaStore,
        settings: ClientDatabase, drive: any DriveProvider
    ) {
        self.index = index
        self.person = person
        name = "\(person)'s \(Self.kinds[number % Self.kinds.count])"
        self.server = server
        self.settings = settings
        self.drive = drive
        self.replica = replica
        clock = SimulatedClock(now: server.now)
        store = FeedStore(replica: { replica }, settings: settings, clock: clock)
    }

    private static let kinds = ["phone", "laptop"]

    /// What is committed at this instant is kept; what the old process still writes is never seen again.
    func crash() {
        // Nothing can be simulated without it.
        guard let kept = try? replica.copyInMemory() else {
            preconditionFailure("A database in memory cannot be copied.")
        }
        replica = kept
        store = FeedStore(replica: { kept }, settings: settings, clock: clock)
        runner = nil
        known.unheard.formUnion(answered)
        answered = []
    }

    // MARK: - Exchanging

    /// What the next exchange goes through.
    func begin(_ conditions: FeedConditions) {
        self.conditions = conditions
        dice = SeededRandom(conditions.dice)
        (calls, hasCrashed) = (0, false)
        clock.pass(seconds: Double(conditions.seconds))
    }

    /// Sends what can be sent now.
    func send() async throws {
        let runner = runner ?? makeRunner()
        self.runner = runner
        _ = try await runner.push()
    }

    /// Every other device sends one thing at a time, the others all that may go at once.
    private func makeRunner() -> JournalRunner {
        JournalRunner(
            store: replica, drive: drive, domains: [FeedDomain { [unowned self] in try await perform($0) }],
            alone: true, clock: clock, chance: { 1 }, width: index.isMultiple(of: 2) ? 1 : .max, sideBySide: false,
            told: { [unowned self] in hear($0) })
    }

    /// What has become of an operation, once it is committed.
    private func hear(_ event: JournalRunner.Event) {
        // A process that is dead tells nothing.
        if hasCrashed { return }
        switch event {
        case .retired(let operation as FeedOperation), .rolledBack(let operation as FeedOperation),
            .changed(let operation as FeedOperation):
            if operation.state != .sending { answered.remove(operation.requestId) }
        case .retired, .changed, .rolledBack: return
        }
        switch event {
        case .retired(let operation as FeedOperation): acknowledged(operation)
        case .changed(let operation as FeedOperation) where operation.state == .acknowledged: acknowledged(operation)
        case .changed(let operation as FeedOperation) where operation.waitsForAPerson: refused(operation)
        case .rolledBack(let operation as FeedOperation):
            known.refused(operation)
            refused(operation)
        case .retired, .changed, .rolledBack: break
        }
    }

    private func acknowledged(_ operation: FeedOperation) {
        var made: FeedKnowledge.CommentPlace?
        if case .comment = operation.action, let post = operation.postId.flatMap({ server.model.posts[$0] }),
            let id = server.ledger.made(by: operation.requestId, of: person),
            let comment = post.comments.first(where: { $0.id == id })
        {
            made = FeedKnowledge.CommentPlace(thread: comment.thread, id: id)
        }
        known.acknowledged(operation, made: made)
        server.ledger.came(.done, of: operation.requestId)
    }

    private func refused(_ operation: FeedOperation) {
        guard let reason = operation.lastError?.words else { return }
        server.ledger.came(.refused(reason), of: operation.requestId)
    }

    // MARK: - The network

    static let offline = ClientFailure(.offline, "The server cannot be reached.")
    private static let crashed = ClientFailure(.diskFailed, "The device has crashed.")

    /// - Throws: when the device crashes here, and ever after in this exchange.
    private func count() throws(ClientFailure) {
        if hasCrashed { throw Self.crashed }
        calls += 1
        guard calls == conditions.crashAt else { return }
        hasCrashed = true
        crash()
        throw Self.crashed
    }

    private func fate() -> NetworkFaults.Fate { hasSignal ? conditions.faults.fate(&dice) : .dropped }

    /// Does at the server what was done here.
    private func perform(_ operation: FeedOperation) async throws -> FeedAnswer {
        let call = try FeedCall(operation)
        try count()
        let fate = fate()
        guard fate != .dropped else { throw Self.offline }
        // Until the answer is heard.
        let isFirst = known.unheard.insert(operation.requestId).inserted
        if fate == .late {
            server.hold(call, requestId: operation.requestId, by: person)
            throw Self.offline
        }
        var answer = Result { () throws(Problem) in
            try server.perform(call, requestId: operation.requestId, by: person)
        }
        try count()
        if fate == .cut { throw Self.offline }
        if fate == .repeated {
            answer = Result { () throws(Problem) in
                try server.perform(call, requestId: operation.requestId, by: person)
            }
        }
        // What was not heard once may have been told by something else since.
        if isFirst { known.unheard.remove(operation.requestId) }
        answered.insert(operation.requestId)
        do {
            return try answer.get()
        } catch {
            throw ClientFailure(error)
        }
    }

    /// Asks the server for something.
    func ask<Answer>(_ body: (FeedServerModel) throws(Problem) -> Answer) throws(ClientFailure) -> Answer {
        try count()
        guard fate() != .dropped else { throw Self.offline }
        let answer: Answer
        do {
            answer = try body(server.model)
        } catch {
            throw ClientFailure(error)
        }
        try count()
        return answer
    }
}
