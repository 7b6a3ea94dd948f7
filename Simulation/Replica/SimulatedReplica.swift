import BothyClient
import BothyContent
import BothyContract

/// The replica and the journal of one device: the recorder, the runner and the puller that people use, over a SQLite in
/// memory that outlives crashes as it was committed.
///
/// Unchecked because a world awaits one thing at a time: nothing here is ever touched by two.
final class SimulatedReplica: @unchecked Sendable {
    let device: SimulatedDevice
    private(set) var store: ReplicaStore
    /// The server as the cache has it: taken when the log's end was reached last. Nil while the cache is between two of
    /// its states.
    private(set) var ground: ServerModel?
    /// Operations that have left the journal as done, and were not looked at since.
    private(set) var retired: [JournalOperation] = []
    /// What was in what was deleted here, by the request.
    var deletions: [String: [ContentHash]] = [:]
    /// What each local id stood for when it was looked at last.
    private var identities: [LUID: String] = [:]
    /// Told of each change of journal and cache, in words, once it is committed; set by the world.
    var changed: @Sendable (String) async -> Void = { _ in }
    /// Sends the journal for as long as its process lives.
    private var runner: JournalRunner?

    /// What waits is kept here until the server has it.
    private static let spool = [".bothy", "pending"]

    init(device: SimulatedDevice) {
        self.device = device
        store = Self.inMemory { try ReplicaDatabase.inMemory() }
        device.atCrash["replica"] = { [unowned self] in crash() }
    }

    private static func inMemory(_ make: () throws -> ReplicaStore) -> ReplicaStore {
        // Nothing can be simulated without it.
        guard let store = try? make() else { preconditionFailure("A database in memory cannot be made.") }
        return store
    }

    /// What is committed at this instant is kept; what the old process still writes is never seen again.
    private func crash() {
        let old = store
        store = Self.inMemory { try old.copyInMemory() }
        runner = nil
        retired = []
    }

    func losePower() { crash() }

    // MARK: What a person does

    func shown() async throws -> ShownTree { try await store.view { view in try ShownTree(view) } }

    func record(
        _ action: JournalOperation.Action, on luid: LUID? = nil, kind: LUIDKind = .file, requestId: String
    ) async throws {
        _ = try await JournalRecorder(store: store, clock: device.clock)
            .record(action, on: luid, kind: kind, requestId: requestId)
        await changed("writes it down")
    }

    /// - Returns: all that is given up with it.
    func discard(_ id: Int64) async throws -> [JournalOperation] {
        let gone = try await JournalRecorder(store: store, clock: device.clock).discard(id)
        await changed("gives up \(gone.count) operations")
        return gone
    }

    /// Keeps a copy of what is put while there is no connection, durably.
    func keep(_ bytes: [UInt8], as name: String) throws -> PendingContent {
        let disk = device.disk!
        for depth in 1...Self.spool.count where !disk.model.exists(Array(Self.spool.prefix(depth))) {
            try disk.model.makeFolder(Array(Self.spool.prefix(depth)))
        }
        let path = Self.spool + [name]
        try disk.model.write(path, bytes)
        disk.model.sync(path)
        return PendingContent(
            path: disk.place + path.joined(separator: "/"), size: Int64(bytes.count),
            checksum: SHA256Hasher.hash(bytes), modifiedAt: device.clock.now(), owned: true)
    }

    // MARK: What the device does

    /// Sends what waits, then brings the cache up to the log's end.
    ///
    /// - Returns: whether there was nothing to send and nothing new.
    func exchange() async throws -> Bool {
        let (store, drive) = (store, device.drive!)
        let waited = try await !store.operations().isEmpty
        _ = try await runner(of: store).push()
        ground = nil
        let news = News()
        let told: @Sendable (PageEffect) async -> Void = { [changed, unowned self] effect in
            retired += effect.retired
            if !effect.keys.isEmpty || !effect.retired.isEmpty { news.came = true }
            await changed("takes a page of changes, \(effect.keys.count) things to look at")
        }
        do {
            let puller = ReplicaPuller(store: store, drive: drive, clock: device.clock, readsAhead: false)
            // From where this leaves the cursor the log tells on: what it skipped would never come.
            _ = try await puller.takeOwnChanges(told: told)
            if try await puller.pull(told: told) { ground = drive.told }
        } catch {
            if !device.hasCrashed { try await sweep() }
            throw error
        }
        try await sweep()
        return !waited && !news.came
    }

    /// The server knows all that was done here, and all that the server knew then is known here.
    func knowsAll() async -> Bool {
        guard ground != nil, let waiting = try? await store.operations() else { return false }
        return waiting.isEmpty
    }

    /// Every other device sends one thing at a time, the others all that may go at once.
    private func runner(of store: ReplicaStore) -> JournalRunner {
        if let runner { return runner }
        let made = JournalRunner(
            store: store, drive: device.drive, clock: device.clock, chance: { 1 },
            width: device.index.isMultiple(of: 2) ? 1 : .max, sideBySide: false,
            told: { [changed, unowned self] event in
                if case .retired(let operation as JournalOperation) = event { retired.append(operation) }
                await changed(event.words)
            })
        runner = made
        return made
    }

    /// A local id stands for one thing, for good; where the server has lost that in a restore, for what is made in its place.
    ///
    /// - Returns: what stands for something else than before, in words.
    func changedIdentity(in shown: ShownTree, _ server: ServerModel) async throws -> String? {
        for (path, file) in shown.things {
            var id = file.serverId
            // What has been sent, and is not known of the server yet.
            if id == nil { id = try await store.serverId(of: file.luid) }
            guard let id else { continue }
            if let before = identities.updateValue(id, forKey: file.luid), before != id, server.nodes[before] != nil {
                return "\(path) was something else before, which is still there"
            }
        }
        return nil
    }

    /// - Returns: what has left the journal as done since this was asked last.
    func takeRetired() -> [JournalOperation] {
        defer { retired = [] }
        return retired
    }

    /// What was kept for operations that are over goes.
    private func sweep() async throws {
        let disk = device.disk!
        let needed = Set(try await store.operations().compactMap(\.content?.path))
        for name in disk.model.names(in: Self.spool) {
            let path = Self.spool + [name]
            if needed.contains(disk.place + path.joined(separator: "/")) { continue }
            try disk.model.remove(path, recursively: false)
        }
    }

    /// Unchecked because a world awaits one thing at a time.
    private final class News: @unchecked Sendable {
        var came = false
    }
}

extension JournalRunner.Event {
    fileprivate var words: String {
        switch self {
        case .retired(let operation): "\(operation.kind) \(operation.id) is done, and is known to be"
        case .rolledBack(let operation): "\(operation.kind) \(operation.id) was refused, and is taken back"
        case .changed(let operation):
            "\(operation.kind) \(operation.id) is \(operation.state)"
                + (operation.lastError.map { " (\($0.words))" } ?? "")
        }
    }
}
