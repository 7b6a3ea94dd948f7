import BothyContract
import Foundation
import GRDB

/// Writes down what a person does, before anything of it is shown.
package struct JournalRecorder: Sendable {
    private let store: ReplicaStore
    private let clock: any ClientClock

    package init(store: ReplicaStore, clock: any ClientClock) {
        self.store = store
        self.clock = clock
    }

    /// What came of it.
    package enum Outcome: Equatable, Sendable {
        case recorded(JournalOperation)
        /// It undoes what was never sent: all of these are gone, as if they had never been.
        ///
        /// - Parameter places: where those with content were shown, by their numbers.
        case collapsed([JournalOperation], places: [Int64: RemotePath] = [:])
    }

    /// Something to be written down.
    struct Draft: Sendable {
        var action: JournalOperation.Action
        /// nil for what is made by this.
        var subject: LUID?
        var requestId = JournalRecorder.newRequestId()
    }

    package static func newRequestId() -> String { OrderedId.new(at: SystemClock().now()) }

    /// - Parameters:
    ///   - subject: nil for what is made by this.
    ///   - sent: the server may have been asked for it already, under this request id; whether it agrees is its to say.
    ///   - collapsing: the trashing of what was never sent takes all of that back.
    /// - Throws: what the server would say to it, as things stand here: `nameConflict`, `parentGone`, `notFound` …
    package func record(
        _ action: JournalOperation.Action, on subject: LUID?, kind: LUIDKind = .file,
        requestId: String = newRequestId(), sent: Bool = false, collapsing: Bool = true
    ) async throws -> Outcome {
        let now = clock.now()
        return try await store.transactOnView { db, shown in
            try Recording(db: db, now: now, collapsing: collapsing)
                .record(action, on: subject, kind, requestId, sent: sent, &shown)
        }
    }

    /// Records several in their order, in one transaction. One that is refused keeps no other from being recorded.
    ///
    /// - Returns: what came of each, in their order.
    /// - Throws: what kept all of them from being recorded.
    func record(_ drafts: [Draft]) async throws -> [Result<Outcome, ClientFailure>] {
        let now = clock.now()
        return try await store.transactOnView { db, shown in
            let recording = Recording(db: db, now: now)
            return try drafts.map { draft in
                var result: Result<Outcome, ClientFailure>?
                try db.inSavepoint {
                    do {
                        let outcome = try recording.record(
                            draft.action, on: draft.subject, .file, draft.requestId, sent: false, &shown)
                        result = .success(outcome)
                        return .commit
                    } catch let refusal as ClientFailure {
                        result = .failure(refusal)
                        return .rollback
                    }
                }
                guard let result else { preconditionFailure("the savepoint has run") }
                return result
            }
        }
    }

    /// Records what belongs together, in one transaction: all of it, or nothing.
    ///
    /// - Parameter body: is given what records each behind those before it.
    func together<Value: Sendable>(
        _ body: @escaping @Sendable (inout JournalSession) throws -> Value
    ) async throws -> Value {
        let now = clock.now()
        return try await store.transactOnView { db, shown in
            var session = JournalSession(recording: Recording(db: db, now: now))
            swap(&session.shown, &shown)
            defer { swap(&session.shown, &shown) }
            return try body(&session)
        }
    }

    /// Gives an operation up, with those that need it.
    ///
    /// - Returns: all that are gone.
    package func discard(_ id: Int64) async throws -> [JournalOperation] {
        try await store.transact { db in try Self.discard(id, in: db) }
    }

    /// The same of a version that the server has already: what was made from it was made from that revision.
    func discard(_ id: Int64, whichIs revision: String?) async throws -> [JournalOperation] {
        try await store.transact { db in try Self.discard(id, whichIs: revision, in: db) }
    }

    private static func discard(
        _ id: Int64, whichIs revision: String? = nil, in db: Database
    ) throws -> [JournalOperation] {
        let operations = try OperationTable.all(in: db)
        guard let operation = operations.first(where: { $0.id == id }) else { return [] }
        let gone = [operation] + JournalMachine(operations).needing(id).compactMap { $0 as? JournalOperation }
        for operation in gone { try remove(operation, whichIs: operation.id == id ? revision : nil, in: db) }
        return gone
    }

    /// Content that was made from what is never sent was made from what that was made from.
    private static func remove(
        _ operation: JournalOperation, whichIs revision: String? = nil, in db: Database
    ) throws {
        try OperationTable.remove(operation.id, in: db)
        guard case .newRevision(_, let made?) = operation.action else { return }
        let base = revision ?? made
        let next = try OperationTable.of(operation.subject, in: db).first { $0.id > operation.id && $0.content != nil }
        guard var next, case .newRevision(let content, nil) = next.action else { return }
        next.action = .newRevision(content: content, base: base)
        try OperationTable.save(next, in: db)
    }

    // MARK: - Conflicts

    /// A decision about an operation that met something else.
    struct Deciding: Sendable {
        var operation: JournalOperation
        var choice: ConflictDecision.Choice
        var automatic: Bool
        var path: String?
    }

    /// Gives up what was done here.
    func giveUp(_ draft: Deciding) async throws -> (gone: [JournalOperation], ConflictDecision) {
        let now = clock.now()
        return try await store.transact { db in
            let gone = try Self.discard(draft.operation.id, in: db)
            return (gone, try Self.note(draft, made: nil, now: now, in: db))
        }
    }

    /// Does something else in an operation's place. What makes or moves the same thing under another name keeps its number, and so
    /// does one's own version of it: what was done to that thing after it, or to the folder that it was in, waits for it.
    func replace(
        _ draft: Deciding, by action: JournalOperation.Action, on subject: LUID?
    ) async throws -> (JournalOperation, ConflictDecision) {
        let now = clock.now()
        return try await store.transactOnView { db, shown in
            let old = draft.operation
            // What was done after one's own version was done to that, also where it comes after somebody else's now.
            let isSame = old.subject == subject
            let keepsItsNumber =
                (isSame && old.destination != nil) || (draft.choice == .mine && (isSame || old.creates))
            if keepsItsNumber { try OperationTable.remove(old.id, in: db) } else { try Self.remove(old, in: db) }
            // What it would have made is a thing that is there already.
            if old.creates, let subject, subject != old.subject {
                try OperationTable.retarget(from: old.subject, to: subject, in: db)
            }
            let outcome = try Recording(db: db, now: now, id: keepsItsNumber ? old.id : nil)
                .record(action, on: subject, .file, Self.newRequestId(), sent: false, &shown)
            guard case .recorded(let made) = outcome else {
                throw ClientFailure(.refused, "This decision is not possible here.", remedy: "Choose to keep theirs.")
            }
            return (made, try Self.note(draft, made: made, now: now, in: db))
        }
    }

    private static func note(
        _ draft: Deciding, made: JournalOperation?, now: Timestamp, in db: Database
    ) throws -> ConflictDecision {
        let id = try ConflictDecisionTable.insert(
            draft.choice, automatic: draft.automatic, about: draft.operation, made: made, path: draft.path, now: now,
            in: db)
        return ConflictDecision(
            id: id, decidedAt: now, isAutomatic: draft.automatic, choice: draft.choice, operation: draft.operation,
            made: made, path: draft.path)
    }

    /// Puts a conflict back into the journal, under a request id of its own.
    ///
    /// - Parameter made: what was written down in its place, and has not been sent.
    func reopen(
        _ old: JournalOperation, of decision: ConflictDecision, instead made: Int64?
    ) async throws -> JournalOperation {
        let now = clock.now()
        return try await store.transact { db in
            if let made { try OperationTable.remove(made, in: db) }
            try ConflictDecisionTable.markUndone(decision.id, now: now, in: db)
            var subject = old.subject
            if old.creates, try LuidTable.serverId(of: subject, in: db) != nil {
                // What it had become stands for something of the server's, which is in the trash now.
                subject = try LuidTable.make(
                    LuidTable.kind(of: subject, in: db) ?? .file, hash: old.content?.checksum, in: db)
            }
            let reopened = JournalOperation(
                id: made == old.id ? old.id : 0, requestId: Self.newRequestId(), action: old.action, subject: subject,
                places: old.places, scope: old.scope, state: .conflict, lastError: old.lastError,
                createdAt: old.createdAt, updatedAt: now)
            guard made == old.id else { return try OperationTable.append(reopened, in: db) }
            try OperationTable.insert(reopened, in: db)
            return reopened
        }
    }
}
