import BothyContract

/// Taking a decision about a conflict back.
extension ReplicaEngine {
    /// What was decided about conflicts on this device, the newest first.
    public func decisions() async throws -> [ConflictDecision] {
        try await store().ground { ground in try ConflictDecisionTable.all(in: ground.db) }
    }

    /// Opens the conflict again: what was there before is the newest version, and what was made here waits. What was sent
    /// meanwhile stays in the file's history, or in the trash.
    ///
    /// - Returns: the operation that waits to be decided about.
    /// - Throws: `notFound` for what was not decided here; `changedMeanwhile` where somebody has gone on from it;
    ///   `offline` where it takes the server.
    @discardableResult
    public func undo(_ id: Int64) async throws -> JournalOperation {
        guard let decision = try await decisions().first(where: { $0.id == id }), decision.undoneAt == nil else {
            throw Self.unknown
        }
        let waiting = try await operations().first { operation in
            operation.id == decision.made?.id && operation.requestId == decision.made?.requestId
        }
        if let waiting, waiting.sent, !waiting.waitsForAPerson {
            throw ClientFailure(
                .refused, "The decision is being sent to the server now.",
                remedy: "Try again in a moment.")
        }
        var old = decision.operation
        if let kept = old.content { old.action = old.action.with(try await bringBack(kept, decision)) }
        if waiting == nil, let made = decision.made { try await takeBack(made) }
        let reopened = try await JournalRecorder(store: try store(), clock: environment.clock)
            .reopen(old, of: decision, instead: waiting?.id)
        if let waiting { try await parts.look(at: waiting, in: store()) }
        try await parts.look(at: reopened, in: store())
        return reopened
    }

    /// The content that was made here: still waiting, in the home's trash, or by now on the server.
    private func bringBack(_ kept: PendingContent, _ decision: ConflictDecision) async throws -> PendingContent {
        let (disk, trashed) = (environment.disk, content.trashPath(decision.operation.requestId))
        if try disk.facts(of: kept.path) != nil { return kept }
        if try disk.facts(of: trashed) != nil {
            try disk.rename(trashed, to: kept.path, replacing: false)
            return kept
        }
        let there = try await untouched(decision.made)
        guard let revision = there.headRevisionId else { throw Self.unknown }
        let source = try await hold(revision, of: there)
        var back = try await keep(source, mimeType: kept.mimeType)
        (back.modifiedAt, back.executable) = (kept.modifiedAt, kept.executable)
        return back
    }

    /// What a decision made, as it is on the server: still as it was made.
    private func untouched(_ made: JournalOperation?) async throws -> ReplicaFile {
        guard let made, let sent = made.content, let there = try await store().cached(made.subject),
            there.checksum == sent.checksum, there.trashedAt == nil
        else {
            throw Self.changedSince
        }
        return there
    }

    private static let changedSince = ClientFailure(
        .changedMeanwhile, "The file has changed since the decision, and undoing the decision would undo that as well.",
        remedy: "“bothy history” shows every version, and “bothy restore” restores one.")

    private func takeBack(_ made: JournalOperation) async throws {
        switch made.action {
        case .newRevision(_, let base?):
            let there = try await untouched(made)
            let source = try await hold(base, of: there)
            let theirs = try await keep(source, mimeType: there.mimeType)
            try await record(.newRevision(content: theirs, base: there.headRevisionId), on: there.luid)
        case .upload:
            let there = try await untouched(made)
            let seen = there.headRevisionId.map(SeenContent.head) ?? .anything
            try await record(.trash(seen: seen), on: there.luid)
        case .trash: try await record(.restore, on: made.subject)
        case .createFolder: try await takeBackFolder(made)
        case .rename, .move: try await giveNameBack(made)
        default: break
        }
    }

    /// A folder goes as it came: with nothing in it.
    private func takeBackFolder(_ made: JournalOperation) async throws {
        guard let there = try await store().cached(made.subject), there.trashedAt == nil, let id = there.serverId,
            try await read({ view in try view.children(of: there.luid).isEmpty })
        else { throw Self.changedSince }
        try await record(.trash(seen: try await seen(id, asOf: nil)), on: there.luid)
    }

    /// What was renamed or moved goes back to where it was, unless somebody has put it elsewhere since, or something else
    /// into its place.
    private func giveNameBack(_ made: JournalOperation) async throws {
        guard let way = made.way, let there = try await store().cached(made.subject), there.trashedAt == nil,
            NameInFolder(parent: there.parent ?? .root, name: there.name) == way.to
        else { throw Self.changedSince }
        do {
            let back: JournalOperation.Action =
                way.from.parent == way.to.parent
                ? .rename(name: way.from.name) : .move(parent: way.from.parent, name: way.from.name)
            try await record(back, on: there.luid)
        } catch let failure as ClientFailure where failure.code == .nameConflict || failure.code == .parentGone {
            throw ClientFailure(
                .changedMeanwhile, "“\(way.from.name)” cannot go back to where it was: \(failure.words)",
                remedy: "Free its name there, then undo the decision.")
        }
    }
}

extension JournalOperation {
    /// Of a rename or a move: the name that it frees, and the one that it takes.
    fileprivate var way: (from: NameInFolder, to: NameInFolder)? {
        let to: NameInFolder?
        switch action {
        case .rename(let name): to = places.first { $0.name == name }
        case .move(let parent, let name): to = places.first { $0.parent == parent && $0.name == name ?? $0.name }
        default: to = nil
        }
        guard let to, let from = places.first(where: { $0 != to }) else { return nil }
        return (from, to)
    }
}

extension JournalOperation.Action {
    /// The same with other content.
    fileprivate func with(_ content: PendingContent) -> Self {
        switch self {
        case .upload(let parent, let name, _, let conflict):
            .upload(parent: parent, name: name, content: content, conflict: conflict)
        case .newRevision(_, let base): .newRevision(content: content, base: base)
        default: self
        }
    }
}
