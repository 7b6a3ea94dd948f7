import BothyClient
import BothyContract

/// What a person does with the files of a list. Each shows at once; what is refused is put back as it was, and said in
/// words.
extension FileListStateHolder {
    // MARK: - One

    /// - Returns: whether there is such a folder now.
    @discardableResult
    public func makeFolder(named name: String) async -> Bool {
        await attempt { actions in
            _ = try await actions.makeFolder(named: try seen(name), in: state.folder)
            return Notice(words.made(ShownName.of(name)))
        }
    }

    /// - Returns: whether it is called so now.
    @discardableResult
    public func rename(_ id: ItemID, to name: String) async -> Bool {
        let before = row(id)
        change(id) {
            $0.name = ShownName.of(name)
            $0.isWaiting = true
        }
        let isDone = await attempt(orGone: .notRenamed) { actions in
            // What lies in the trash could be renamed, too, and nobody would see it.
            _ = try await folders.item(id)
            let item = try await actions.rename(id, to: try seen(name))
            change(id) { $0 = row(of: item) }
            return nil
        }
        if !isDone, let before { change(id) { $0 = before } }
        return isDone
    }

    /// What nobody could see in a list is no name here, though other programs may give it.
    private func seen(_ name: String) throws -> String {
        guard name.contains(where: { !$0.isWhitespace }) else {
            throw ClientFailure(.invalidName, words[.nameUnseen])
        }
        return name
    }

    // MARK: - Several

    public func star(_ starred: Bool, _ ids: [ItemID]) async {
        let before = state.rows
        for id in ids { change(id) { $0.starred = starred } }
        let outcome = await each(ids, atOnce: Self.mostAtOnce) { actions, id in
            _ = try await actions.setStarred(starred, id)
        }
        putBack(outcome, before)
        state.notice = outcome.failure
    }

    /// Into the trash; ``FileListState/undo`` brings them back.
    ///
    /// - Parameter seen: what was shown to the person by one who looked before; else what this holder has shown.
    public func trash(_ ids: [ItemID], seen: FolderMark? = nil) async {
        let shown = seen ?? mark
        let done = await takeAway(ids, saying: words.trashed) { actions, id in
            try await actions.trash(id, seen: shown)
        }
        state.undo = done.isEmpty ? nil : .untrash(done)
    }

    /// Takes the last trashing back.
    public func untrash(_ ids: [ItemID]) async {
        let outcome = await each(ids, atOnce: Self.mostAtOnce) { actions, id in _ = try await actions.untrash(id) }
        state.undo = nil
        state.notice = outcome.failure ?? Notice(words.broughtBack(outcome.done.count))
    }

    public func move(_ ids: [ItemID], to folder: ItemID) async {
        guard folder != state.folder else { return }
        let done = await takeAway(ids, saying: words.moved) { actions, id in
            _ = try await actions.move(id, to: folder)
        }
        state.undo = done.isEmpty ? nil : .move(done, from: folder)
    }

    public func copy(_ ids: [ItemID], to folder: ItemID) async {
        // One by one: each has to find a name that none before it took.
        let outcome = await each(ids, atOnce: 1) { actions, id in _ = try await actions.copy(id, to: folder) }
        state.notice = outcome.failure ?? Notice(words.copied(outcome.done.count))
    }

    // MARK: - Doing

    /// Things that are done side by side.
    private static var mostAtOnce: Int { 64 }

    private struct Outcome {
        var done = [ItemID]()
        var failed = Set<ItemID>()
        /// Of the first that failed.
        var failure: Notice?
    }

    /// - Returns: those that are gone.
    private func takeAway(
        _ ids: [ItemID], saying: (Int) -> String,
        _ act: @escaping @Sendable (any FileActions, ItemID) async throws -> Void
    ) async -> [ItemID] {
        let before = state.rows
        let going = Set(ids)
        state.rows.removeAll { going.contains($0.id) }
        state.total -= before.count - state.rows.count
        state.selection.subtract(going)
        let outcome = await each(ids, atOnce: Self.mostAtOnce, act)
        putBack(outcome, before)
        state.notice = outcome.failure ?? Notice(saying(outcome.done.count))
        return outcome.done
    }

    /// What failed is where it was, among what is left.
    private func putBack(_ outcome: Outcome, _ before: [FileListRow]) {
        guard !outcome.failed.isEmpty else { return }
        let here = Dictionary(uniqueKeysWithValues: state.rows.map { ($0.id, $0) })
        let known = Set(before.map(\.id))
        let rows = before.compactMap { outcome.failed.contains($0.id) ? $0 : here[$0.id] }
        state.total += rows.count - state.rows.count { known.contains($0.id) }
        // What has come meanwhile stays at the end until it is told of in its place.
        state.rows = rows + state.rows.filter { !known.contains($0.id) }
    }

    /// - Parameter width: how many are under way at a time: what is written side by side is committed as one.
    private func each(
        _ ids: [ItemID], atOnce width: Int,
        _ act: @escaping @Sendable (any FileActions, ItemID) async throws -> Void
    ) async -> Outcome {
        var (failures, rest) = ([ItemID: any Error](), ids[...])
        await withTaskGroup(of: (id: ItemID, failure: (any Error)?).self) { [actions] group in
            func next() {
                guard let id = rest.popFirst() else { return }
                group.addTask {
                    do {
                        try await act(actions, id)
                        return (id, nil)
                    } catch {
                        return (id, error)
                    }
                }
            }
            for _ in 0..<width { next() }
            for await ended in group {
                failures[ended.id] = ended.failure
                next()
            }
        }
        return Outcome(
            done: ids.filter { failures[$0] == nil }, failed: Set(failures.keys),
            failure: ids.lazy.compactMap { failures[$0] }.first.map(words.failure))
    }

    /// - Parameter gone: what is said where it is not there any more; nil for what the failure says.
    private func attempt(orGone gone: Phrase? = nil, _ act: (any FileActions) async throws -> Notice?) async -> Bool {
        do {
            state.notice = try await act(actions)
            return true
        } catch let failure as ClientFailure where failure.code == .notFound && gone != nil {
            state.notice = gone.map { Notice(words[$0], tone: .failure) }
            return false
        } catch {
            state.notice = words.failure(error)
            return false
        }
    }

    private func row(_ id: ItemID) -> FileListRow? { state.rows.first { $0.id == id } }

    private func change(_ id: ItemID, _ body: (inout FileListRow) -> Void) {
        guard let index = state.rows.firstIndex(where: { $0.id == id }) else { return }
        body(&state.rows[index])
    }
}
