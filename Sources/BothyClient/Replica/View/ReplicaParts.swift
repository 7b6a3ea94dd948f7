import BothyContract
import Synchronization

/// The open parts of the view in one process, and the overlay that moves them. A change costs what it touches: nothing
/// here is made anew for one change, and nothing is kept where nothing is open.
actor ReplicaParts {
    private struct Observer {
        var part: FolderPart
        var tell: @Sendable (FolderDelta) -> Void
    }

    /// Changed in place, in a turn of one who reads the database; nil while nothing is open, and after a change that went
    /// wrong in its middle: then it is read anew.
    private let overlay = Mutex<Overlay?>(nil)
    private var observers = [Int: Observer]()
    private var numbers = 0
    /// Parts that are being read: what changes meanwhile is told after that.
    private var opening = 0
    /// A reader of the database waits for the reader before it: two who moved one overlay would lose what one of them did.
    private var turn: Task<Void, Never>?

    func open(_ folder: LUID, in store: ReplicaStore) async throws -> AsyncStream<FolderDelta> {
        // Unbounded: a delta that is dropped could never be made good; a reader that does not read closes it.
        let (stream, continuation) = AsyncStream<FolderDelta>.makeStream()
        let (number, _) = try await attach(folder, in: store) { continuation.yield($0) }
        continuation.onTermination = { [weak self] _ in Task { await self?.detach(number) } }
        return stream
    }

    /// Tells `tell` of a folder, all of it first, each delta before the call that made the change returns.
    ///
    /// - Returns: what it is let go by, and the moment of which all of it was.
    func attach(
        _ folder: LUID, in store: ReplicaStore, tell: @escaping @Sendable (FolderDelta) -> Void
    ) async throws -> (number: Int, moment: FolderMark) {
        numbers += 1
        opening += 1
        defer { opening -= 1 }
        let number = numbers
        let moment = try await inTurn {
            let (part, children, moment) = try await store.view { [overlay = self] view in
                let children = try view.children(of: folder)
                let part = FolderPart(
                    folder: folder, children, way: try view.above(folder, including: true) ?? [],
                    asking: try OperationTable.asking(in: view.ground.db))
                overlay.overlay.withLock { $0 = view.overlay }
                return (part, children, try view.moment())
            }
            await self.add(Observer(part: part, tell: tell), as: number, children)
            return moment
        }
        return (number, moment)
    }

    private func add(_ observer: Observer, as number: Int, _ children: [ReplicaFile]) {
        observers[number] = observer
        observer.tell(FolderDelta(isWhole: true, changed: children, removed: []))
    }

    func detach(_ number: Int) {
        observers[number] = nil
        if !isLookedAt { overlay.withLock { $0 = nil } }
    }

    /// Somebody looks at a part, or is about to.
    private var isLookedAt: Bool { !observers.isEmpty || opening > 0 }

    private func inTurn<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let earlier = turn
        let task = Task {
            await earlier?.value
            return try await body()
        }
        turn = Task { _ = await task.result }
        return try await task.value
    }

    /// The folders that somebody looks at now.
    var openFolders: Set<LUID> { Set(observers.values.map(\.part.folder)) }

    /// A list of its own: iterating over the dictionary itself holds it, and each part would be copied to be moved.
    private var attached: [Int] { Array(observers.keys) }

    // MARK: - What changes

    func rebase(_ effect: PageEffect, in store: ReplicaStore) async throws {
        let subjects = (effect.retired + effect.changed).map(\.subject)
        try await change(of: subjects, in: store) { overlay, ground in
            var things = try overlay.rebase(effect.keys, retired: effect.retired.map(\.id), over: ground)
            for operation in effect.changed { things.formUnion(try overlay.put(operation, over: ground)) }
            return things
        }
    }

    /// An operation has come, changed or left: what the database says of it now counts.
    func look(at operation: JournalOperation, in store: ReplicaStore) async throws {
        let id = operation.id
        try await change(of: [operation.subject], in: store) { overlay, ground in
            guard let now = try OperationTable.find(id, in: ground.db) else {
                return try overlay.remove(id, over: ground)
            }
            return try overlay.put(now, over: ground)
        }
    }

    /// Another process has written: everything that is open is read again, and told as a delta.
    func reload(in store: ReplicaStore) async throws {
        guard isLookedAt else { return }
        try await inTurn { try await self.readAgain(in: store) }
    }

    private func readAgain(in store: ReplicaStore) async throws {
        for number in attached {
            guard let (folder, way) = observers[number].map({ ($0.part.folder, $0.part.wayThere) }) else { continue }
            let (children, above, asking) = try await store.view { view in
                self.overlay.withLock { $0 = view.overlay }
                let above = try way.map { (luid: $0, file: try view.file($0)) }
                let asking = try OperationTable.asking(in: view.ground.db)
                // Another process has let go of what it holds, and nothing of that has changed: it stays shown.
                if try ThinnedFolderTable.contains(folder, in: view.ground.db) {
                    return ([ReplicaFile]?.none, above, asking)
                }
                return (try view.children(of: folder), above, asking)
            }
            guard let (told, old) = observers[number].map({ ($0.part.asking.union(asking), $0.part.luids) }) else {
                continue
            }
            let asked = Dictionary(uniqueKeysWithValues: told.map { ($0, asking.contains($0)) })
            guard let children else {
                tell(number, above, asked)
                continue
            }
            let new = Dictionary(uniqueKeysWithValues: children.map { ($0.luid, $0) })
            tell(number, old.union(new.keys).sorted().map { ($0, new[$0]) } + above, asked)
        }
    }

    private typealias Moving = @Sendable (inout Overlay, DatabaseGround) throws -> Set<LUID>

    /// - Parameter subjects: what something is done to: it may wait for a person now, or not any more.
    private func change(of subjects: [LUID], in store: ReplicaStore, _ body: @escaping Moving) async throws {
        guard isLookedAt else { return }
        try await inTurn { try await self.changeNow(subjects, in: store, body) }
    }

    private func changeNow(_ subjects: [LUID], in store: ReplicaStore, _ body: @escaping Moving) async throws {
        let (things, asked) = try await store.ground { ground in
            var asked = [LUID: Bool]()
            for subject in subjects { asked[subject] = try OperationTable.asks(subject, in: ground.db) }
            return (try self.moved(body, ground), asked)
        }
        guard let things else { return try await readAgain(in: store) }
        for number in attached { tell(number, things, asked) }
    }

    /// - Returns: the things that look otherwise now; nil where there is no overlay to be moved.
    private nonisolated func moved(
        _ body: Moving, _ ground: DatabaseGround
    ) throws -> [(luid: LUID, file: ReplicaFile?)]? {
        try overlay.withLock { overlay in
            guard var taken = overlay.take() else { return nil }
            let changed = try body(&taken, ground)
            let things = try changed.sorted().map { (luid: $0, file: try taken.file($0, over: ground)) }
            overlay = taken
            return things
        }
    }

    private func tell(_ number: Int, _ things: [(luid: LUID, file: ReplicaFile?)], _ asked: [LUID: Bool]) {
        guard let delta = observers[number]?.part.move(things, asked: asked) else { return }
        observers[number]?.tell(delta)
    }
}
