import BothyContract

/// What is sent when, and what becomes of each answer. Pure: operations, answers and the time in; operations to send and
/// to write down out.
package struct JournalMachine: Sendable {
    /// Operations of a kind that may be under way at once.
    package enum Lane: Hashable, CaseIterable, Sendable {
        case metadata, uploads, feed

        /// Uploads have a queue of their own behind this, which weighs them by size. Small ones fill two requests: while the answers
        /// to one are written down, the next is on its way.
        var width: Int {
            switch self {
            case .metadata, .feed: 4
            case .uploads: 2 * BatchGathering.mostItems
            }
        }
    }

    /// Why nothing at all is sent.
    package enum Hold: Equatable, Sendable {
        /// There is no way to the server, or it asks to be left alone; tried again at this time.
        case until(Timestamp, ClientFailure)
        /// Somebody has to sign in first, or the one who did all this.
        case signIn(ClientFailure)
    }

    package private(set) var operations = [Int64: any DomainOperation]()
    /// What their domains say of them.
    private var facts = [Int64: DomainFacts]()
    package private(set) var hold: Hold?
    /// When the hold began.
    private var heldSince = Timestamp(seconds: 0)
    private var order = OperationOrder()
    /// What waits for nothing but its turn and its time.
    private var ready = [Lane: ReadyOperations]()
    /// Uploads that something else waits for: they go first.
    private var urgent = Set<Int64>()
    private var underWay = [Lane: Set<Int64>]()
    /// What is under way for the first time.
    private var firstTries = Set<Int64>()
    private let width: Int
    /// The domains that are sent; what there is of the others is waited for.
    private let sending: Set<JournalDomainName>
    /// Times in a row that the network failed: they decide how long to wait, and cost no attempt.
    private var networkFailures = 0

    /// Failures that were not the network's before an operation that does not roll back is parked.
    package static let patience = 5
    /// After which it is looked whether what a person has paused was resumed, or there is room on the disk. It costs no attempt.
    package static let restMilliseconds: Int64 = 60_000

    /// - Parameters:
    ///   - operations: the journal, in order. What was being sent when the process ended is sent again, under its own
    ///     request id.
    ///   - width: operations that may be under way at once, in all lanes together.
    ///   - sending: the domains that are sent from here; what there is of the others is sent by somebody else, and waited for.
    package init(
        _ operations: [any DomainOperation] = [], width: Int = .max,
        sending: Set<JournalDomainName> = Set(JournalDomainName.allCases)
    ) {
        self.width = width
        self.sending = sending
        for operation in operations { _ = add(operation) }
    }

    // MARK: - What there is

    /// Takes an operation in, behind all others.
    ///
    /// - Returns: it as it is from now on.
    @discardableResult
    package mutating func add(_ operation: any DomainOperation) -> any DomainOperation {
        var operation = operation
        if operation.state == .sending { operation.state = .queued }
        operations[operation.id] = operation
        place(operation)
        return operation
    }

    private mutating func place(_ operation: any DomainOperation) {
        let told = operation.facts
        facts[operation.id] = told
        let (operations, facts) = (operations, facts)
        let waitsFor = order.add(operation.id, told) { id in
            Self.mustWait(told, for: operations[id], facts[id])
        }
        guard operation.state == .queued else { return }
        if told.lane != .uploads { hurry(waitsFor) }
        if order.isFree(operation.id) { makeReady([operation.id]) }
    }

    private mutating func makeReady(_ ids: some Sequence<Int64>) {
        for id in ids {
            guard let operation = operations[id], sending.contains(operation.domain) else { continue }
            ready[lane(of: id), default: ReadyOperations()].insert(
                id, isUrgent: urgent.contains(id), isTimed: operation.nextAttemptAt != nil)
        }
    }

    /// - Parameters:
    ///   - earlier: shares something with what `later` are the facts of, and was done before it; nil where it has left.
    ///   - held: the facts of that.
    private static func mustWait(
        _ later: DomainFacts, for earlier: (any DomainOperation)?, _ held: DomainFacts?
    ) -> Bool {
        guard let earlier, let held else { return false }
        return switch earlier.state {
        case .queued, .sending: true
        // Whether somebody else has put something into the folder is known once the cache has what was put there from here.
        case .acknowledged: later.waitsForNews
        case .conflict, .parked: later.needs(held)
        }
    }

    /// What waits for uploads moves them to the front.
    private mutating func hurry(_ ids: Set<Int64>) {
        for id in ids where facts[id]?.lane == .uploads {
            urgent.insert(id)
            ready[.uploads]?.hurry(id)
        }
    }

    /// An operation knows more than it did: what it is based on, what it is about.
    package mutating func update(_ operation: any DomainOperation) {
        guard let known = operations[operation.id] else { return }
        let now = operation.standing(as: known)
        operations[operation.id] = now
        let before = facts.updateValue(now.facts, forKey: operation.id)
        // It turned out to be a file that it deletes: that waits for no news.
        guard before?.waitsForNews == true, facts[operation.id]?.waitsForNews == false else { return }
        for done in operations.values where done.state == .acknowledged { makeReady(release(done.id)) }
    }

    /// It has left the journal: retired or discarded. Nothing waits for it any more.
    package mutating func remove(_ id: Int64) {
        guard operations.removeValue(forKey: id) != nil else { return }
        underWay[lane(of: id)]?.remove(id)
        firstTries.remove(id)
        ready[lane(of: id)]?.remove(id)
        facts[id] = nil
        urgent.remove(id)
        makeReady(order.remove(id))
    }

    /// Those that make no sense without it: they are about the thing that it would have made, or put something there. Or they
    /// do harm: what was moved out of a folder that was deleted then would be deleted with it.
    package func needing(_ id: Int64) -> [any DomainOperation] {
        guard let held = facts[id] else { return [] }
        let later = operations.values.filter { $0.id > id }.sorted { $0.id < $1.id }
        guard held.creates else {
            return later.filter { other in
                other.state != .acknowledged && facts[other.id]?.takesAlong.isDisjoint(with: held.leaves) == false
            }
        }
        var (things, needing) = (Set([held.subject]), [any DomainOperation]())
        for other in later {
            guard let known = facts[other.id], !known.needs.isDisjoint(with: things) else { continue }
            needing.append(other)
            if known.creates { things.insert(known.subject) }
        }
        return needing
    }

    /// Something waits until the cache has what was sent from here.
    package var waitsForNews: Bool {
        operations.values.contains { $0.state == .acknowledged }
            && operations.values.contains {
                $0.state == .queued && facts[$0.id]?.waitsForNews == true && !order.isFree($0.id)
            }
    }

    private var countUnderWay: Int { underWay.values.reduce(0) { $0 + $1.count } }

    // MARK: - Sending

    /// What is to be sent now, each marked as being sent. Write them down before they leave.
    package mutating func next(now: Timestamp) -> [any DomainOperation] {
        if isHeld(at: now) { return [] }
        hold = nil
        callWhoseTimeHasCome(now)
        var sent = [any DomainOperation]()
        while let (lane, id) = nextTurn() {
            ready[lane]?.remove(id)
            guard var operation = operations[id], operation.state == .queued else { continue }
            operation.state = .sending
            if !operation.sent { firstTries.insert(id) }
            operation.sent = true
            operation.updatedAt = now
            operations[id] = operation
            underWay[lane, default: []].insert(id)
            sent.append(operation)
        }
        return sent
    }

    /// Whether nothing at all is sent at this moment.
    package func isHeld(at now: Timestamp) -> Bool {
        switch hold {
        case .signIn: true
        case .until(let time, _): Self.isAhead(time, of: now, since: heldSince)
        case nil: false
        }
    }

    /// What waited for its time waits for its turn.
    private mutating func callWhoseTimeHasCome(_ now: Timestamp) {
        for lane in Lane.allCases {
            for id in ready[lane]?.timed ?? [] {
                guard let operation = operations[id], let next = operation.nextAttemptAt,
                    !Self.isAhead(next, of: now, since: operation.updatedAt)
                else { continue }
                ready[lane]?.insert(id, isUrgent: urgent.contains(id), isTimed: false)
            }
        }
    }

    /// Whose turn it is among those that there is room for.
    private mutating func nextTurn() -> (Lane, Int64)? {
        var next: (lane: Lane, turn: ReadyOperations.Turn)?
        for lane in Lane.allCases where hasRoom(lane) {
            guard let turn = ready[lane]?.first() else { continue }
            if let other = next, other.turn < turn { continue }
            next = (lane, turn)
        }
        return next.map { ($0.lane, $0.turn.id) }
    }

    /// Whether it is still to be waited for. A calendar that says it is earlier than when the waiting began has been put
    /// back, by nobody knows how much: then it is over.
    private static func isAhead(_ time: Timestamp, of now: Timestamp, since began: Timestamp) -> Bool {
        began <= now && now < time
    }

    /// When `next` may have something that it has not now; nil where nothing waits for time.
    package var nextTime: Timestamp? {
        switch hold {
        case .until(let time, _): return time
        // No time brings that about.
        case .signIn: return nil
        case nil: break
        }
        return Lane.allCases.filter(hasRoom).flatMap { ready[$0]?.timed ?? [] }
            .compactMap { operations[$0]?.nextAttemptAt }.min()
    }

    private func hasRoom(_ lane: Lane) -> Bool {
        underWay[lane, default: []].count < lane.width && countUnderWay < width
    }

    private func lane(of id: Int64) -> Lane { facts[id]?.lane ?? .metadata }

    /// Nothing of this lane is under way, or could be at this moment.
    package func isAtRest(_ lane: Lane, at now: Timestamp) -> Bool {
        guard underWay[lane, default: []].isEmpty else { return false }
        var turns = ready[lane] ?? ReadyOperations()
        return isHeld(at: now) || turns.first() == nil
    }

    // MARK: - Answers

    /// The server has done it.
    ///
    /// - Returns: the operation as it is to be written down. It leaves the journal when the cache holds its effect.
    package mutating func acknowledge(_ id: Int64, version: Int64, now: Timestamp) -> (any DomainOperation)? {
        guard var operation = operations[id] else { return nil }
        networkFailures = 0
        operation.state = .acknowledged
        operation.acknowledgedVersion = version
        operation.lastError = nil
        operation.nextAttemptAt = nil
        operation.updatedAt = now
        operations[id] = operation
        underWay[lane(of: id)]?.remove(id)
        firstTries.remove(id)
        ready[lane(of: id)]?.remove(id)
        urgent.remove(id)
        makeReady(release(id))
        return operation
    }

    /// These are asked of the server again, or for the first time, each in its old place: the server has been put back to
    /// a time before it did them, or something else was decided to be done in their stead.
    package mutating func takeAnew(_ again: [any DomainOperation]) {
        for operation in again { operations[operation.id] = operation }
        order = OperationOrder()
        ready = [:]
        for operation in operations.values.sorted(by: { $0.id < $1.id }) { place(operation) }
    }

    /// The server, the network or this device said no.
    ///
    /// - Parameter chance: 0 up to 1, for the jitter.
    /// - Returns: the operation as it is to be written down.
    package mutating func fail(
        _ id: Int64, _ failure: ClientFailure, now: Timestamp, chance: Double
    ) -> (any DomainOperation)? {
        guard var operation = operations[id] else { return nil }
        underWay[lane(of: id)]?.remove(id)
        operation.updatedAt = now
        operation.lastError = failure
        operation.state = .queued
        // Nobody took the connection: the server knows nothing of it. An upload is many requests, and some may have arrived.
        if firstTries.remove(id) != nil, failure.isUnconnected == true, lane(of: id) != .uploads {
            operation.sent = false
        }
        switch Self.verdict(on: failure) {
        case .network:
            holdBack(failure, now: now, chance: chance)
            operation.lastError = nil
        case .signIn: hold = .signIn(failure)
        case .conflict: operation.state = facts[id]?.canMeet == false ? .parked : .conflict
        case .again:
            operation.attempts += 1
            let delay = RetryPolicy.delay(after: failure, failures: operation.attempts, chance: chance)
            operation.nextAttemptAt = now.adding(milliseconds: Int64(delay * 1000))
            if operation.attempts >= Self.patience, facts[id]?.rollsBack != true { operation.state = .parked }
        case .soon:
            let delay = RetryPolicy.delay(after: failure, failures: 1, chance: chance)
            operation.nextAttemptAt = now.adding(milliseconds: Int64(delay * 1000))
        case .rests: operation.nextAttemptAt = now.adding(milliseconds: Self.restMilliseconds)
        case .final: operation.state = .parked
        }
        operations[id] = operation
        makeReady(operation.waitsForAPerson ? release(id) : [id])
        return operation
    }

    /// What waits behind one that is done, or waits for a person, goes on unless it needs what that would have done.
    private mutating func release(_ id: Int64) -> [Int64] {
        let (operation, facts) = (operations[id], facts)
        return order.release(id) { later in
            facts[later].map { Self.mustWait($0, for: operation, facts[id]) } ?? false
        }
    }

    private enum Verdict {
        case network, signIn, conflict, again, soon, rests, final
    }

    private static func verdict(on failure: ClientFailure) -> Verdict {
        if failure.isUnanswered || failure.problem?.code == .accountDisabled { return .network }
        switch failure.code {
        case .signInNeeded: return .signIn
        case .nameConflict, .revisionConflict, .changedMeanwhile: return .conflict
        case .canceled, .unexpected: return .again
        case .homeBusy: return .soon
        // This device's own trouble says nothing about what was to be done.
        case .transferPaused, .diskFull, .diskFailed, .homeUnusable: return .rests
        // The one who canceled it decides what becomes of it.
        case .transferCanceled: return .final
        default: return failure.isWorthRetrying ? .again : .final
        }
    }

    // MARK: - What changes outside

    /// There is a way to the server again, or somebody thinks so: what waited for one is tried at once.
    package mutating func cameOnline() {
        if case .until = hold { hold = nil }
        networkFailures = 0
    }

    package mutating func signedIn() {
        if case .signIn = hold { hold = nil }
    }

    /// Somebody else is signed in than who did all this.
    package mutating func refuse(_ failure: ClientFailure) { hold = .signIn(failure) }

    /// Nothing is sent while it cannot be told whose drive it would go to.
    ///
    /// - Parameters:
    ///   - failure: of the network's, or `signInNeeded`.
    ///   - chance: as in ``fail(_:_:now:chance:)``.
    /// - Returns: an operation that says why, as it is to be written down; nil where time alone mends it.
    package mutating func withhold(_ failure: ClientFailure, now: Timestamp, chance: Double) -> (any DomainOperation)? {
        guard Self.verdict(on: failure) == .signIn else {
            holdBack(failure, now: now, chance: chance)
            return nil
        }
        hold = .signIn(failure)
        guard let (_, id) = nextTurn(), var operation = operations[id] else { return nil }
        operation.lastError = failure
        operation.updatedAt = now
        operations[id] = operation
        return operation
    }

    private mutating func holdBack(_ failure: ClientFailure, now: Timestamp, chance: Double) {
        // Those that went side by side fail side by side: that is one failure.
        if case .until = hold, isHeld(at: now) {} else { networkFailures += 1 }
        let delay = RetryPolicy.delay(after: failure, failures: networkFailures, chance: chance)
        heldSince = now
        hold = .until(now.adding(milliseconds: Int64(delay * 1000)), failure)
    }

    /// A person wants it tried again, now.
    ///
    /// - Returns: the operation as it is to be written down; nil when it is not there, done, or being sent.
    package mutating func retry(_ id: Int64, now: Timestamp) -> (any DomainOperation)? {
        guard var operation = operations[id], operation.state != .acknowledged, operation.state != .sending else {
            return nil
        }
        operation.state = .queued
        operation.attempts = 0
        operation.nextAttemptAt = nil
        operation.updatedAt = now
        operations[id] = operation
        if order.isFree(id) { makeReady([id]) }
        return operation
    }
}

extension Timestamp {
    package func adding(milliseconds: Int64) -> Timestamp {
        Timestamp(milliseconds: self.milliseconds + milliseconds)
    }
}
