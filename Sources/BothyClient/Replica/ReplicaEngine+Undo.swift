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
        let waiting = try await operations().first { $0.id == decision.made?.id }
        if let waiting, waiting.sent, !waiting.waitsForAPerson {
            throw ClientFailure(
                .refused, "What was decided is on its way to the server at this moment.",
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
        let (copy, path) = (LocalCopy(disk: disk), content.pendingPath(JournalRecorder.newRequestId()))
        var back = try await DiskQueue("keep").run {
            try copy.make(of: source, at: path, mimeType: kept.mimeType)
        }
        (back.modifiedAt, back.executable) = (kept.modifiedAt, kept.executable)
        return back
    }

    /// What a decision made, as it is on the server: still as it was made.
    private func untouched(_ made: JournalOperation?) async throws -> ReplicaFile {
        guard let made, let sent = made.content, let there = try await store().cached(made.subject),
            there.checksum == sent.checksum, there.trashedAt == nil
        else {
            throw ClientFailure(
                .changedMeanwhile, "What was decided has been changed since, and taking it back would undo that too.",
                remedy: "“bothy history” shows every version, and “bothy restore” brings one back.")
        }
        return there
    }

    private func takeBack(_ made: JournalOperation) async throws {
        switch made.action {
        case .newRevision(_, let base?):
            let there = try await untouched(made)
            let source = try await hold(base, of: there)
            let (copy, path) = (LocalCopy(disk: environment.disk), content.pendingPath(JournalRecorder.newRequestId()))
            let theirs = try await DiskQueue("keep").run {
                try copy.make(of: source, at: path, mimeType: there.mimeType)
            }
            try await record(.newRevision(content: theirs, base: there.headRevisionId), on: there.luid)
        case .upload:
            let there = try await untouched(made)
            let seen = there.headRevisionId.map(SeenContent.head) ?? .anything
            try await record(.trash(seen: seen), on: there.luid)
        case .trash: try await record(.restore, on: made.subject)
        // A folder that was made stays, and so does a name that was given: the conflict is about the next one.
        default: break
        }
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
