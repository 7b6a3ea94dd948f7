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
            _ = try await actions.makeFolder(named: name, in: state.folder)
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
        let isDone = await attempt { actions in
            let item = try await actions.rename(id, to: name)
            change(id) { $0 = row(of: item) }
            return nil
        }
        if !isDone, let before { change(id) { $0 = before } }
        return isDone
    }

    // MARK: - Several

    public func star(_ starred: Bool, _ ids: [ItemID]) async {
        let before = state.rows
        for id in ids { change(id) { $0.starred = starred } }
        let outcome = await each(ids) { actions, id in _ = try await actions.setStarred(starred, id) }
        putBack(outcome, before)
        state.notice = outcome.failure
    }

    /// Into the trash; ``FileListState/undo`` brings them back.
    public func trash(_ ids: [ItemID]) async {
        await takeAway(ids, saying: words.trashed) { actions, id in try await actions.trash(id) }
    }

    /// Takes the last trashing back.
    public func untrash(_ ids: [ItemID]) async {
        let outcome = await each(ids) { actions, id in _ = try await actions.untrash(id) }
        state.undo = []
        state.notice = outcome.failure ?? Notice(words.broughtBack(outcome.done.count))
    }

    public func move(_ ids: [ItemID], to folder: ItemID) async {
        guard folder != state.folder else { return }
        await takeAway(ids, saying: words.moved) { actions, id in _ = try await actions.move(id, to: folder) }
        state.undo = []
    }

    public func copy(_ ids: [ItemID], to folder: ItemID) async {
        let outcome = await each(ids) { actions, id in _ = try await actions.copy(id, to: folder) }
        state.notice = outcome.failure ?? Notice(words.copied(outcome.done.count))
    }

    // MARK: - Doing

    private struct Outcome {
        var done = [ItemID]()
        var failed = Set<ItemID>()
        /// Of the first that failed.
        var failure: Notice?
    }

    private func takeAway(
        _ ids: [ItemID], saying: (Int) -> String, _ act: (any FileActions, ItemID) async throws -> Void
    ) async {
        let before = state.rows
        let going = Set(ids)
        state.rows.removeAll { going.contains($0.id) }
        state.total -= before.count - state.rows.count
        state.selection.subtract(going)
        let outcome = await each(ids, act)
        putBack(outcome, before)
        state.undo = outcome.done
        state.notice = outcome.failure ?? Notice(saying(outcome.done.count))
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

    private func each(
        _ ids: [ItemID], _ act: (any FileActions, ItemID) async throws -> Void
    ) async -> Outcome {
        var outcome = Outcome()
        for id in ids {
            do {
                try await act(actions, id)
                outcome.done.append(id)
            } catch {
                outcome.failed.insert(id)
                outcome.failure = outcome.failure ?? notice(error)
            }
        }
        return outcome
    }

    private func attempt(_ act: (any FileActions) async throws -> Notice?) async -> Bool {
        do {
            state.notice = try await act(actions)
            return true
        } catch {
            state.notice = notice(error)
            return false
        }
    }

    private func row(_ id: ItemID) -> FileListRow? { state.rows.first { $0.id == id } }

    private func change(_ id: ItemID, _ body: (inout FileListRow) -> Void) {
        guard let index = state.rows.firstIndex(where: { $0.id == id }) else { return }
        body(&state.rows[index])
    }
}
