import BothyContract

/// Operations that met something that the person had not seen, and what is decided about them.
extension ReplicaEngine {
    /// In the order in which they were done.
    public func conflicts() async throws -> [JournalOperation] {
        try await operations().filter { $0.state == .conflict }
    }

    /// Decides. What it takes is written down in the place of the old operation, in one step, and sent like any other.
    ///
    /// - Throws: `notFound` where there is no such conflict any more; `refused` for a choice that makes no sense of it.
    public func resolve(_ id: Int64, _ choice: ConflictChoice) async throws {
        guard let operation = try await conflicts().first(where: { $0.id == id }) else { throw Self.unknown }
        if case .theirs = choice {
            try await discard(id)
            return
        }
        let (action, subject) = try await decided(operation, choice)
        try await record(action, on: subject, replacing: operation)
    }

    private func decided(
        _ operation: JournalOperation, _ choice: ConflictChoice
    ) async throws -> (JournalOperation.Action, LUID?) {
        switch (operation.action, choice) {
        case (.newRevision(let content, _), .mine): return try await over(operation.subject, content)
        case (.newRevision, .merged(let content)): return try await over(operation.subject, content)
        case (.newRevision(let content, _), .both(let name)):
            let parent = try await file(operation.subject)?.parent ?? .root
            return (.upload(parent: parent, name: name, content: content, conflict: .fork), nil)
        case (.upload(let parent, let name, let content, _), .mine):
            let there = try await store().view { view in try view.child(name, of: parent) }
            guard let there, !there.isFolder else {
                return (.upload(parent: parent, name: name, content: content, conflict: .fork), nil)
            }
            return try await over(there.luid, content)
        case (.upload(let parent, _, let content, _), .both(let name)):
            return (.upload(parent: parent, name: name, content: content, conflict: .fork), nil)
        case (.createFolder(let parent, _), .both(let name)): return (.createFolder(parent: parent, name: name), nil)
        case (.rename, .both(let name)): return (.rename(name: name), operation.subject)
        case (.move(let parent, _), .both(let name)): return (.move(parent: parent, name: name), operation.subject)
        case (.trash, .mine):
            guard let id = try await store().serverId(of: operation.subject) else { throw Self.unknown }
            return (.trash(seen: try await seen(id, asOf: nil)), operation.subject)
        default:
            throw ClientFailure(
                .refused, "This cannot be decided so.", remedy: "Choose to keep theirs, or both.")
        }
    }

    private func over(_ luid: LUID, _ content: PendingContent) async throws -> (JournalOperation.Action, LUID?) {
        guard let there = try await store().cached(luid) else { throw Self.unknown }
        return (.newRevision(content: content, base: there.headRevisionId), luid)
    }

    private func record(
        _ action: JournalOperation.Action, on subject: LUID?, replacing old: JournalOperation
    ) async throws {
        let recorder = JournalRecorder(store: try store(), clock: environment.clock)
        let outcome = try await recorder.record(action, on: subject, replacing: old.id)
        try await parts.remove(old, in: store())
        if case .recorded(let operation) = outcome { try await parts.put(operation, in: store()) }
        // Of a merge, what was made here alone is in the merged content.
        if let kept = old.content, kept.owned, !Self.speaks(action, of: kept) {
            try environment.disk.rename(kept.path, to: content.trashPath(old.requestId), replacing: true)
        }
    }

    private static func speaks(_ action: JournalOperation.Action, of content: PendingContent) -> Bool {
        switch action {
        case .upload(_, _, let other, _), .newRevision(let other, _): other.path == content.path
        default: false
        }
    }
}

extension ReplicaStore {
    /// What the server said of it, without what waits.
    package func cached(_ luid: LUID) async throws -> ReplicaFile? {
        try await ground { ground in try ground.file(luid) }
    }
}
