import BothyContract
import GRDB

/// One transaction's view of the journal, and what is added to it.
struct Recording {
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
        case .nameConflict: ClientFailure(code, "There is already something of this name in this folder.")
        case .parentGone: ClientFailure(code, "The target folder does not exist.")
        case .notAFolder: ClientFailure(code, "The target is not a folder.")
        case .revisionConflict: ClientFailure(code, "There is a newer version than the one that this is based on.")
        case .notAFile: ClientFailure(code, "This is a folder, and only files have content.")
        case .refused:
            if case .move = action {
                ClientFailure(code, "A folder cannot be moved into itself or one of its subfolders.")
            } else {
                ClientFailure(code, "The root folder cannot be changed.")
            }
        default: ClientFailure(code, "This does not exist.")
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
