import DequeModule
import GRDB
import Synchronization

/// The one writer: commits the transactions that wait together behind one fsync, each with its own outcome.
///
/// While a group commits, others gather for the next. A transaction that throws is undone alone: nearly none does, so a group runs
/// without savepoints, each of which would copy every page that it writes; where one throws, the group is undone and runs again with
/// them.
final class GroupedWriter: Sendable {
    /// More than that would wait for seconds: they are refused, for their clients to come back.
    static let maximumWaiting = 4096
    /// A group's answers wait for its last transaction.
    static let maximumGroup = 256
    static let maximumGroupTime = Duration.milliseconds(20)

    private struct State {
        var waiting = Deque<any WaitingTransaction>()
        var isRunning = false
        var refusal: DatabaseError?
        /// Nobody knows what the disk holds: what waits is refused as well.
        var isLost = false
    }

    private let pool: DatabasePool
    private let reserve: DiskReserve
    private let state = Mutex(State())

    init(pool: DatabasePool, reserve: DiskReserve = .none) {
        self.pool = pool
        self.reserve = reserve
    }

    /// Takes them all, to be run in their order, or refuses them all.
    func submit(_ transactions: [any WaitingTransaction]) {
        let (refusal, starts) = state.withLock { state -> (DatabaseError?, Bool) in
            if let refusal = state.refusal { return (refusal, false) }
            guard state.waiting.count + transactions.count <= Self.maximumWaiting else { return (.busy, false) }
            state.waiting.append(contentsOf: transactions)
            defer { state.isRunning = true }
            return (nil, !state.isRunning)
        }
        if let refusal {
            for transaction in transactions { transaction.answer(failure: refusal) }
            return
        }
        if starts { pool.asyncWriteWithoutTransaction { self.drain($0) } }
    }

    /// Takes no more transactions; those that wait are still committed.
    func stop(_ reason: DatabaseError) {
        state.withLock { if $0.refusal == nil { $0.refusal = reason } }
    }

    var refusal: DatabaseError? { state.withLock { $0.refusal } }

    /// A sync failed, which the kernel tells of once: the next would pass for one that went well.
    private func lose(_ reason: DatabaseError) {
        stop(reason)
        state.withLock { $0.isLost = true }
    }

    /// The next one that may run. The disk is asked right before each, so that not even those that wait together take more of the
    /// reserve than one of them needs; who may not take of it is told so.
    private func next(_ connection: SQLiteConnection) -> (any WaitingTransaction)? {
        while let transaction = state.withLock({ $0.waiting.popFirst() }) {
            if transaction.room == .reserve { return transaction }
            if reserve.isWhole(counting: { try connection.reusableBytes() }) { return transaction }
            transaction.answer(failure: DatabaseError.diskFull)
        }
        return nil
    }

    /// Those that are not run any more, with what they are told.
    private func takeRefused() -> (Deque<any WaitingTransaction>, DatabaseError)? {
        state.withLock { state in
            guard state.isLost, let refusal = state.refusal else { return nil }
            defer { state.waiting = [] }
            return (state.waiting, refusal)
        }
    }

    private func drain(_ database: GRDB.Database) {
        let connection = SQLiteConnection(database: database)
        var isApart = false
        while true {
            if let (refused, refusal) = takeRefused() {
                for transaction in refused { transaction.answer(failure: refusal) }
            }
            let isIdle = state.withLock { state in
                if state.waiting.isEmpty { state.isRunning = false }
                return state.waiting.isEmpty
            }
            if isIdle { return }
            isApart = commitGroup(connection, isApart: isApart) == .runsAgain
        }
    }

    private enum GroupEnd { case answered, runsAgain }

    /// One group from its beginning to its answers.
    ///
    /// - Parameter isApart: whether each transaction has a savepoint.
    private func commitGroup(_ connection: SQLiteConnection, isApart: Bool) -> GroupEnd {
        guard let leader = next(connection) else { return .answered }
        do {
            try connection.execute("BEGIN IMMEDIATE")
        } catch {
            leader.answer(failure: error)
            return .answered
        }
        let clock = ContinuousClock()
        let deadline = clock.now + Self.maximumGroupTime
        var group = [any WaitingTransaction]()
        var candidate: (any WaitingTransaction)? = leader
        while let transaction = candidate {
            switch run(transaction, connection, isApart: isApart) {
            case .kept: group.append(transaction)
            case .engineUndidAll:
                giveBack(group)
                return .answered
            case .refused:
                rollBack(connection)
                if group.isEmpty {
                    transaction.answer(failure: nil)
                    return .answered
                }
                giveBack(group + [transaction])
                return .runsAgain
            }
            candidate = group.count < Self.maximumGroup && clock.now < deadline ? next(connection) : nil
        }
        if let failure = commit(connection) {
            if group.count == 1 || refusal != nil {
                for transaction in group { transaction.answer(failure: failure) }
            } else {
                for transaction in group { commitAlone(transaction, connection) }
            }
        } else {
            for transaction in group { transaction.answer(failure: nil) }
        }
        return .answered
    }

    private enum RunEnd {
        /// What it did, or nothing of what it did, is in the group.
        case kept
        /// It threw, and what it did is in the group.
        case refused
        /// A full disk, an I/O error. The transaction that met it has its answer; those before it are innocent.
        case engineUndidAll
    }

    private func run(
        _ transaction: any WaitingTransaction, _ connection: SQLiteConnection, isApart: Bool
    ) -> RunEnd {
        do {
            if isApart { try connection.executeSavepoint("SAVEPOINT one") }
            let isKept = transaction.run(on: connection)
            guard connection.database.isInsideTransaction else {
                // A body that swallowed the engine's refusal must not pass for one that was kept.
                transaction.answer(failure: isKept ? DatabaseError.failed("the engine undid the transaction") : nil)
                return .engineUndidAll
            }
            guard isApart else { return isKept ? .kept : .refused }
            if !isKept { try connection.executeSavepoint("ROLLBACK TO one") }
            try connection.executeSavepoint("RELEASE one")
            return .kept
        } catch {
            transaction.answer(failure: error)
            rollBack(connection)
            return .engineUndidAll
        }
    }

    /// Runs again, before all others, those whose group was undone by another's fault. It ends: the one at fault has its answer
    /// then, or each has a savepoint the next time.
    private func giveBack(_ group: [any WaitingTransaction]) {
        state.withLock { $0.waiting.prepend(contentsOf: group) }
    }

    /// A commit that failed is nobody's in particular: each is tried by itself.
    private func commitAlone(_ transaction: any WaitingTransaction, _ connection: SQLiteConnection) {
        if let lost = state.withLock({ $0.isLost ? $0.refusal : nil }) { return transaction.answer(failure: lost) }
        do {
            try connection.execute("BEGIN IMMEDIATE")
        } catch {
            return transaction.answer(failure: error)
        }
        guard run(transaction, connection, isApart: true) == .kept else { return }
        transaction.answer(failure: commit(connection))
    }

    private func commit(_ connection: SQLiteConnection) -> (any Error)? {
        do {
            try connection.database.execute(sql: "COMMIT")
            return nil
        } catch {
            rollBack(connection)
            guard let refused = error as? GRDB.DatabaseError else { return error }
            let failure = DatabaseError(sqlite: refused)
            if refused.isFailedSync { lose(failure) }
            return failure
        }
    }

    private func rollBack(_ connection: SQLiteConnection) {
        guard connection.database.isInsideTransaction else { return }
        do {
            try connection.execute("ROLLBACK")
        } catch {
            stop(.failed("a transaction could be neither kept nor undone: \(error)"))
        }
    }
}
