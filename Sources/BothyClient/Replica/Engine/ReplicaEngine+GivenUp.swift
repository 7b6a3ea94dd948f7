import BothyContract
import Foundation

/// What was given up here before it was ever sent, and bringing it back.
extension ReplicaEngine {
    /// What still lies here, the newest first.
    public func givenUp() async throws -> [GivenUpContent] {
        let entries = try content.entries(in: content.trashFolder)
        guard !entries.isEmpty else { return [] }
        let notes = try await store().ground { ground in try GivenUpNoteTable.all(in: ground.db) }
        return try entries.compactMap { entry -> GivenUpContent? in
            let (note, place) = (notes[entry.name], content.trashPath(entry.name))
            guard let facts = try environment.disk.facts(of: place) else { return nil }
            return GivenUpContent(
                // A path that is none any more is not shown.
                id: entry.name, path: note?.path.flatMap { try? RemotePath($0) }, reason: note?.reason ?? .leftBehind,
                size: facts.size, givenUpAt: note?.at ?? entry.changedAt, localPath: place, mimeType: note?.mimeType)
        }.sorted { ($1.givenUpAt, $0.id) < ($0.givenUpAt, $1.id) }
    }

    /// Puts it again, to be sent like anything that is put; a name that is taken by now gets a counter.
    ///
    /// - Parameter parentId: the folder that it goes to.
    @discardableResult
    public func bringBack(_ item: GivenUpContent, to parentId: String) async throws -> JournalOperation {
        let parent = try await luid(of: parentId)
        let name = try await freeName(item.path?.name ?? item.id, in: parent)
        let kept = try await keep(item.localPath, mimeType: item.mimeType)
        let operation: JournalOperation
        do {
            let made = try await record(.upload(parent: parent, name: name, content: kept, conflict: .fork))
            guard let made else { throw Self.unknown }
            operation = made
        } catch {
            // What went wrong first is told; the copy is nobody's.
            try? environment.disk.remove(kept.path)
            throw error
        }
        // It has been put, and the copy is the journal's: where it cannot be removed here, it can be put once more.
        try? environment.disk.remove(item.localPath)
        return operation
    }

    /// Deletes it for good.
    public func forget(_ item: GivenUpContent) throws { try environment.disk.remove(item.localPath) }

    private func freeName(_ wanted: String, in parent: LUID) async throws -> String {
        try await read { view in
            var (name, counter) = (wanted, 0)
            while try view.child(name, of: parent) != nil {
                counter += 1
                name = FileName.numbered(wanted, counter)
            }
            return name
        }
    }

    // MARK: - Giving up

    /// An operation is over that was never done. Bytes that were kept for it alone may be what a person needs after all.
    func forget(
        _ operation: JournalOperation, _ reason: GivenUpContent.Reason, at place: RemotePath?
    ) async throws {
        try await parts.look(at: operation, in: store())
        guard let kept = operation.content, kept.owned, try environment.disk.facts(of: kept.path) != nil else { return }
        try await giveUp(kept, of: operation, reason, at: place)
    }

    func giveUp(
        _ kept: PendingContent, of operation: JournalOperation, _ reason: GivenUpContent.Reason, at place: RemotePath?
    ) async throws {
        let name = operation.requestId
        try environment.disk.rename(kept.path, to: content.trashPath(name), replacing: true)
        let note = GivenUpNoteTable.Note(
            path: place?.text, reason: reason, mimeType: kept.mimeType, at: environment.clock.now())
        try await store().transact { db in try GivenUpNoteTable.insert(note, named: name, in: db) }
    }

    /// The request ids of what the journal has, and of what was given up here and is still kept.
    func uploadsSpokenOf() async throws -> (waiting: Set<String>, givenUp: Set<String>) {
        try await store().ground { ground in
            (try OperationTable.requestIds(in: ground.db), Set(try GivenUpNoteTable.all(in: ground.db).keys))
        }
    }

    /// Where what operations are about is shown, while it is; those without content are left out.
    func places(of operations: [JournalOperation]) async throws -> [Int64: RemotePath] {
        let sending = operations.filter { $0.content != nil }
        guard !sending.isEmpty else { return [:] }
        return try await store().view { view in
            var places = [Int64: RemotePath]()
            for operation in sending { places[operation.id] = try view.place(of: operation) }
            return places
        }
    }
}

extension JournalOperation {
    /// It is about this, or happens in it.
    func touches(_ luid: LUID) -> Bool {
        subject == luid || destination == luid || scope.contains(luid) || places.contains { $0.parent == luid }
    }
}
