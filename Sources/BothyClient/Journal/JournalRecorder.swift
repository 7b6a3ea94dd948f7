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
                throw ClientFailure(.refused, "This cannot be decided so.", remedy: "Choose to keep theirs.")
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

/// One transaction's view of the journal, and what is added to it.
private struct Recording {
    let db: Database
    let now: Timestamp
    /// The number that the operation gets; nil for one behind all others.
    var id: Int64?
    var collapsing = true

    /// What is to be written down, judged by what is shown.
    private struct Judged {
        var action: JournalOperation.Action
        var subject: LUID
        var scope: [LUID]
        var placesLeft: [NameInFolder]
    }

    /// - Parameter shown: everything that waits, over the cache; it is brought up to this transaction first.
    func record(
        _ action: JournalOperation.Action, on subject: LUID?, _ kind: LUIDKind, _ requestId: String, sent: Bool,
        _ shown: inout MovedOverlay
    ) throws -> JournalRecorder.Outcome {
        let ground = DatabaseGround(db: db)
        try shown.catchUp(over: ground)
        let luid = try subject.map { try LuidTable.resolved($0, in: db) }
        if let luid, case .trash = action, collapsing, !sent,
            let collapsed = try collapse(luid, ReplicaView(overlay: shown.overlay, ground: ground))
        {
            for operation in collapsed.operations { try OperationTable.remove(operation.id, in: db) }
            return .collapsed(collapsed.operations, places: collapsed.places)
        }
        let judged = try judge(action, on: luid, kind, ReplicaView(overlay: shown.overlay, ground: ground))
        // Tried behind all others, to see which names it takes and frees, and whether the server would refuse it.
        let draft = JournalOperation(
            id: .max, requestId: requestId, action: judged.action, subject: judged.subject, createdAt: now,
            updatedAt: now)
        let (refusal, places) = try shown.trial(of: draft, over: ground)
        if let refusal, !sent { throw Self.refused(refusal, judged.action) }
        var operation = try OperationTable.insert(
            judged.action, on: judged.subject, as: id, requestId: requestId, places: places + judged.placesLeft,
            scope: judged.scope, now: now, in: db)
        if sent {
            operation.sent = true
            try OperationTable.save(operation, in: db)
        }
        try shown.take(operation, over: ground)
        return .recorded(operation)
    }

    private func judge(
        _ action: JournalOperation.Action, on luid: LUID?, _ kind: LUIDKind, _ view: ReplicaView
    ) throws -> Judged {
        let (action, subject) = try settle(try action.withNormalizedName(), on: luid, kind, view)
        return Judged(
            action: action, subject: subject, scope: try folders(action, subject, view),
            placesLeft: try placesLeft(below: subject, action, view))
    }

    /// What it is about: something new, or, where content is to replace what has the name, that.
    private func settle(
        _ action: JournalOperation.Action, on luid: LUID?, _ kind: LUIDKind, _ view: ReplicaView
    ) throws -> (JournalOperation.Action, LUID) {
        if let luid { return (action, luid) }
        if case .upload(let parent, let name, let content, .overwrite) = action,
            let luid = try view.overlay.child(at: NameInFolder(parent: parent, name: name), over: view.ground),
            let there = try view.file(luid), !there.isFolder
        {
            return (.newRevision(content: content, base: there.headRevisionId), there.luid)
        }
        return (action, try LuidTable.make(kind, hash: Self.hash(of: action), in: db))
    }

    private static func hash(of action: JournalOperation.Action) -> ContentHash? {
        if case .upload(_, _, let content, _) = action { content.checksum } else { nil }
    }

    /// The folders that it happens in.
    private func folders(_ action: JournalOperation.Action, _ subject: LUID, _ view: ReplicaView) throws -> [LUID] {
        var folders = Set(try view.above(subject)?.map(\.luid) ?? [])
        switch action {
        case .createFolder(let parent, _), .upload(let parent, _, _, _), .move(let parent, _):
            folders.formUnion(try view.above(parent, including: true)?.map(\.luid) ?? [])
        default: break
        }
        return folders.sorted()
    }

    /// Operations that the trashing of something never sent undoes: those that made it, did something to it, or made
    /// something in it. nil where any of that has left this device, is about something that the server has, or was moved out
    /// of it since: what a person has put elsewhere stays.
    private func collapse(
        _ luid: LUID, _ view: ReplicaView
    ) throws -> (operations: [JournalOperation], places: [Int64: RemotePath])? {
        let own = try OperationTable.of(luid, in: db)
        guard own.contains(where: \.creates) else { return nil }
        // Only in a folder can something else have been made.
        let isFolder = try view.file(luid)?.isFolder ?? true
        let about = isFolder ? try OperationTable.all(in: db).filter { $0.touches(luid) } : own
        let made = Set(about.filter(\.creates).map(\.subject))
        guard about.allSatisfy({ !$0.sent && made.contains($0.subject) }),
            try made.allSatisfy({ try view.isInside($0, luid) })
        else { return nil }
        var places = [Int64: RemotePath]()
        for operation in about where operation.content != nil { places[operation.id] = try view.place(of: operation) }
        return (about, places)
    }

    /// Of a folder that is deleted: names in it, or below, under which something lay that is shown elsewhere by now, and of which
    /// the server has yet to hear.
    private func placesLeft(
        below luid: LUID, _ action: JournalOperation.Action, _ view: ReplicaView
    ) throws -> [NameInFolder] {
        guard case .trash = action, try view.file(luid)?.isFolder ?? true else { return [] }
        let away = try OperationTable.moves(in: db).filter { $0.isShown && !$0.placesLeft.isEmpty }
            .filter { try !view.isInside($0.subject, luid) }
        return try away.flatMap(\.placesLeft).filter { try view.isInside($0.parent, luid) }
    }

    private static func refused(_ code: FailureCode, _ action: JournalOperation.Action) -> ClientFailure {
        switch code {
        case .nameConflict: ClientFailure(code, "There is something called that in this folder already.")
        case .parentGone: ClientFailure(code, "The folder that this should go to is not there.")
        case .notAFolder: ClientFailure(code, "This can only go into a folder.")
        case .revisionConflict: ClientFailure(code, "There is a newer version than the one that this was made from.")
        case .notAFile: ClientFailure(code, "This is a folder, which has no content.")
        case .refused:
            if case .move = action {
                ClientFailure(code, "A folder cannot go into itself, or into one that lies in it.")
            } else {
                ClientFailure(code, "The root folder stays as it is.")
            }
        default: ClientFailure(code, "This is not there.")
        }
    }
}

extension JournalOperation.Action {
    /// As the server will keep it: two spellings of one name are one name here too.
    ///
    /// - Throws: `invalidName`.
    fileprivate func withNormalizedName() throws(ClientFailure) -> Self {
        switch self {
        case .createFolder(let parent, let name): .createFolder(parent: parent, name: try Self.normalized(name))
        case .upload(let parent, let name, let content, let conflict):
            .upload(parent: parent, name: try Self.normalized(name), content: content, conflict: conflict)
        case .rename(let name): .rename(name: try Self.normalized(name))
        case .move(let parent, let name?): .move(parent: parent, name: try Self.normalized(name))
        case .move, .newRevision, .trash, .restore, .star, .hide: self
        }
    }

    private static func normalized(_ name: String) throws(ClientFailure) -> String {
        do {
            return try FileName.normalized(name)
        } catch {
            throw ClientFailure(.invalidName, "The name “\(name)” \(error.reason).")
        }
    }
}

extension ReplicaView {
    /// Whether it is this, or lies in it.
    fileprivate func isInside(_ luid: LUID, _ folder: LUID) throws -> Bool {
        try above(luid, including: true)?.contains { $0.luid == folder } ?? false
    }
}
