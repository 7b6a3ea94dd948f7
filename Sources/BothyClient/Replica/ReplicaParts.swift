import BothyContract

/// The open parts of the view in one process, and the overlay that moves them. A change costs what it touches: nothing
/// here is made anew for one change, and nothing is kept where nothing is open.
actor ReplicaParts {
    private struct Observer {
        var part: FolderPart
        var continuation: AsyncStream<FolderDelta>.Continuation
    }

    private var overlay: Overlay?
    private var observers = [Int: Observer]()
    private var byFolder = [LUID: Set<Int>]()
    private var numbers = 0

    func open(_ folder: LUID, in store: ReplicaStore) async throws -> AsyncStream<FolderDelta> {
        let (known, part) = try await store.view { view in
            (view.overlay, FolderPart(folder: folder, try view.children(of: folder)))
        }
        // Read in one moment with the part; what came between is read again by the next change.
        overlay = known
        // Unbounded: a delta that is dropped could never be made good; a reader that does not read closes it.
        let (stream, continuation) = AsyncStream<FolderDelta>.makeStream()
        numbers += 1
        let number = numbers
        observers[number] = Observer(part: part, continuation: continuation)
        byFolder[folder, default: []].insert(number)
        continuation.onTermination = { [weak self] _ in Task { await self?.close(number) } }
        continuation.yield(part.whole)
        return stream
    }

    private func close(_ number: Int) {
        guard let observer = observers.removeValue(forKey: number) else { return }
        byFolder[observer.part.folder]?.remove(number)
        if observers.isEmpty { overlay = nil }
    }

    // MARK: - What changes

    func rebase(_ effect: PageEffect, in store: ReplicaStore) async throws {
        try await change(in: store) { overlay, ground in
            try overlay.rebase(effect.keys, retired: effect.retired.map(\.id), over: ground)
        }
    }

    func put(_ operation: JournalOperation, in store: ReplicaStore) async throws {
        try await change(in: store) { overlay, ground in try overlay.put(operation, over: ground) }
    }

    func remove(_ operation: JournalOperation, in store: ReplicaStore) async throws {
        try await change(in: store) { overlay, ground in try overlay.remove(operation.id, over: ground) }
    }

    /// Another process has written: everything that is open is read again, and told as a delta.
    func reload(in store: ReplicaStore) async throws {
        guard overlay != nil else { return }
        for (number, observer) in observers {
            let folder = observer.part.folder
            let old = Set(observer.part.children.map(\.luid))
            let (known, children) = try await store.view { view in (view.overlay, try view.children(of: folder)) }
            overlay = known
            let new = Dictionary(uniqueKeysWithValues: children.map { ($0.luid, $0) })
            tell(number, old.union(new.keys).map { ($0, new[$0]) })
        }
    }

    private func change(
        in store: ReplicaStore,
        _ body: @escaping @Sendable (inout Overlay, DatabaseGround) throws -> Set<LUID>
    ) async throws {
        guard let before = overlay else { return }
        let (after, things) = try await store.ground { ground in
            var overlay = before
            let changed = try body(&overlay, ground)
            return (overlay, try changed.map { (luid: $0, file: try overlay.file($0, over: ground)) })
        }
        overlay = after
        for number in observers.keys { tell(number, things) }
    }

    private func tell(_ number: Int, _ things: [(luid: LUID, file: ReplicaFile?)]) {
        guard let delta = observers[number]?.part.move(things) else { return }
        observers[number]?.continuation.yield(delta)
    }
}
