import BothyContract
import NIOCore

/// The device's uploads and downloads: begun, watched, paused, resumed, ended.
///
/// A transfer is a record in the device's database. The process that begins it runs it; if another process of this
/// device runs it already, it is joined, and taken over should that process die. The same order given again
/// resumes.
public actor TransfersRepository {
    let store: TransferStore
    let content: ContentStore
    let services: TransferServices
    let identity: RunnerIdentity
    var queue = TransferQueue()
    var running = [String: Mover]()
    var ended = [String: Task<Void, Never>]()
    /// Waiters for one that does not leave its company any more.
    var waitingForEnds = [String: [CheckedContinuation<Void, Never>]]()
    /// Those that have a task, and no runner yet.
    var beginning = Set<String>()
    /// Begins what is in the queue, once all is there that comes at this moment.
    var starting: Task<Void, Never>?
    var observers = TransferObservers()
    /// Those that run here, as they were told last.
    var latest = [String: TransferSnapshot]()
    /// Those that other processes run and somebody here waits for, as they were seen last.
    var joined = [String: TransferSnapshot]()
    /// Those that somebody watches and whose records could not be read, since when, in uptime.
    var unread = [String: Double]()
    var watching: Task<Void, Never>?
    /// How often a source that changed was begun again.
    var successions = [String: Int]()
    /// Told together is what comes together.
    let told: AsyncStream<[TransferSnapshot]>.Continuation
    private var telling: Task<Void, Never>?
    private var stopped = false

    /// Uploads whose answers somebody waits for, and the answers that have come; no more than there are waiting.
    var awaited = Set<String>()
    var answers = [String: File]()

    /// Seconds between two looks at what other processes have done or want.
    static let lookInterval = 0.25
    /// Seconds for which a record that cannot be read is tried again before its observers are let go.
    static let readingPatience = 60.0
    /// A source that changes again and again is left alone after so many times.
    static let mostSuccessions = 3
    /// Seconds that a record stays after its transfer is over.
    static let recordLifetime: Int64 = 30 * 24 * 3600

    package init(
        store: TransferStore, content: ContentStore, locksFolder: String, uploads: UploadsRemoteSource,
        downloads: ContentRemoteSource, receiving: RateLimit, environment: ClientEnvironment
    ) async throws {
        self.store = store
        self.content = content
        identity = try RunnerIdentity(locksFolder: locksFolder)
        let (news, told) = AsyncStream<[TransferSnapshot]>.makeStream()
        self.told = told
        services = TransferServices(
            store: store, uploads: uploads, content: downloads, receiving: receiving, environment: environment,
            tell: { told.yield([$0]) })
        identity.sweep()
        try await store.removeOver(before: Self.old(environment.clock.now()))
        telling = Task(executorPreference: services.executor) { [weak self] in
            for await snapshots in news { await self?.tell(snapshots) }
        }
    }

    // MARK: - Beginning

    /// Begins uploads, or continues those that were begun by the same order.
    ///
    /// A source that has changed since is a new upload; the older one is canceled.
    ///
    /// - Returns: the transfers' ids, in the order of `orders`.
    /// - Throws: `fileMissing`, `permissionDenied`, `sourceNotAFile` for the first source that cannot be sent; then
    ///   none is begun.
    public func upload(_ orders: [UploadOrder]) async throws -> [String] {
        let sources = try orders.map { try source($0.localPath) }
        let claims = try await store.claim(orders, sources: sources, by: identity, now: services.clock.now())
        for old in claims.flatMap(\.superseded) { await giveUp(old) }
        begin(zip(claims, sources).map { ($0, $1.size, nil) })
        return claims.map(\.record.id)
    }

    /// Whether what an order asks for was begun and has not ended: asked for, it resumes.
    ///
    /// - Throws: `fileMissing`, `permissionDenied`, `sourceNotAFile`.
    public func hasBegun(_ order: UploadOrder) async throws -> Bool {
        let pin = SourcePin(try source(order.localPath))
        return try await store.open(for: order).contains { $0.source == nil || $0.source == pin }
    }

    /// Gives up what was begun for an order, of this content or another, and nobody runs: something else sends the file.
    public func giveUpBegun(_ order: UploadOrder) async throws {
        for begun in try await store.open(for: order) where !identity.isAlive(begun.runner) {
            try await cancel(begun.transferId)
        }
    }

    /// Leaves what an order asks for, where it was begun and has not ended, to the process that adopts it once there is a way to the
    /// server.
    ///
    /// - Returns: false where it was not begun.
    /// - Throws: `fileMissing`, `permissionDenied`, `sourceNotAFile`.
    public func handOn(_ order: UploadOrder) async throws -> Bool {
        try await store.handOn(
            order, source: try source(order.localPath), by: identity, now: services.clock.now())
    }

    /// Keeps what comes from `bytes` in the home's private folder, then uploads it.
    ///
    /// - Parameter order: its `localPath` is not looked at.
    /// - Throws: `diskFull`, and whatever `bytes` throws; then nothing is kept.
    public func upload<Bytes: AsyncSequence & Sendable>(
        _ order: UploadOrder, from bytes: Bytes
    ) async throws -> String where Bytes.Element == ByteBuffer {
        let id = OrderedId.new(at: services.clock.now())
        let size = try await Spool(path: content.spoolPath(id), disk: services.environment.disk).fill(from: bytes)
        var order = order
        order.localPath = content.spoolPath(id)
        var transfer = UploadTransfer(transferId: id, order: order, spooled: true, now: services.clock.now())
        transfer.runner = identity.id
        try await store.save(.upload(transfer))
        begin([(TransferStore.Claim(record: .upload(transfer), mine: true), size, nil)])
        return id
    }

    /// Begins downloads, or continues those that were begun by the same order.
    ///
    /// - Returns: the transfers' ids, in the order of `orders`.
    public func download(_ orders: [DownloadOrder]) async throws -> [String] {
        let claims = try await store.claim(orders, by: identity, now: services.clock.now())
        begin(zip(claims, orders).map { ($0, $1.size, $1.known) })
        return claims.map(\.record.id)
    }

    private func source(_ path: String) throws(ClientFailure) -> FileFacts {
        guard let facts = try services.environment.disk.facts(of: path) else {
            throw ClientFailure(.fileMissing, "“\(path)” is not there.")
        }
        guard facts.kind == .file else { throw ClientFailure(.sourceNotAFile, "“\(path)” is not a file.") }
        return facts
    }

    // MARK: - Watching

    /// Every transfer of this device, newest first; those that are over only where `over`.
    public func list(over: Bool = false) async throws -> [TransferSnapshot] {
        try await store.all(over: over).map { current($0) }.sorted { ($1.createdAt, $1.id) < ($0.createdAt, $0.id) }
    }

    /// - Parameter id: the id, or as many of its first letters as tell it from the others.
    /// - Throws: `transferNotFound`.
    public func snapshot(_ id: String) async throws -> TransferSnapshot {
        guard let record = try await store.find(try await fullId(id)) else { throw TransferStore.unknown(id) }
        return current(record)
    }

    /// The transfers as they go on: each at once as it stands, then every change of state, and bytes at most ten times
    /// a second each. It ends when all of them rest: see `TransferState.rests`. A transfer that takes the place of one
    /// of them (`replacedBy`) is told too. Of one that is not there, or cannot be read for a minute, nothing is told: ``snapshot(_:)``
    /// says why.
    public func observe(_ ids: [String]) -> AsyncStream<TransferSnapshot> {
        // Unbounded, because an end that is dropped would never come again; ten a second and transfer is its pace.
        let (stream, continuation) = AsyncStream<TransferSnapshot>.makeStream()
        guard !ids.isEmpty else {
            continuation.finish()
            return stream
        }
        let number = observers.add(Set(ids), continuation)
        continuation.onTermination = { _ in Task { [weak self] in await self?.stopObserving(number) } }
        Task { await tellStanding(ids) }
        return stream
    }

    private func stopObserving(_ number: Int) { observers.remove(number) }

    /// Says of each how it stands; what another process runs is watched from here on, and what begins here tells of itself.
    func tellStanding(_ ids: [String]) async {
        for id in ids where observers.watches(id) {
            guard running[id] == nil, !beginning.contains(id) else {
                if let told = latest[id] { observers.tell(told) }
                continue
            }
            if let waiting = queue.waiting(id) {
                observers.tell(waiting.record.snapshot)
                continue
            }
            let found: TransferRecord?
            do {
                found = try await store.find(id)
            } catch {
                readLater(id)
                continue
            }
            unread[id] = nil
            guard let record = found else {
                observers.drop(id)
                continue
            }
            let snapshot = current(record)
            if !snapshot.state.rests, running[id] == nil, record.runner != identity.id { join(snapshot) }
            observers.tell(snapshot)
        }
    }

    /// A database that cannot be read now is read again at the next looks, but not for ever: nobody waits for what will not come.
    private func readLater(_ id: String) {
        let now = services.clock.uptime()
        let since = unread[id] ?? now
        guard !stopped, now - since < Self.readingPatience else {
            unread[id] = nil
            return observers.drop(id)
        }
        unread[id] = since
        watch()
    }

    /// What runs nowhere waits to be resumed, whatever its record says.
    func current(_ record: TransferRecord) -> TransferSnapshot {
        var snapshot = record.snapshot
        if !snapshot.state.rests, stopped || !identity.isAlive(record.runner) { snapshot.state = .paused(.stopped) }
        return snapshot
    }

    /// How many of these another process of this device moves now, whether this one has stopped or not.
    package func countElsewhere(of ids: [String]) async throws -> Int {
        var count = 0
        for id in ids {
            guard let record = try await store.find(id), !record.snapshot.state.rests else { continue }
            if record.runner != identity.id, identity.isAlive(record.runner) { count += 1 }
        }
        return count
    }

    private func tell(_ snapshots: [TransferSnapshot]) {
        for snapshot in snapshots { tell(snapshot) }
    }

    func tell(_ snapshot: TransferSnapshot) {
        latest[snapshot.id] = snapshot.state.rests ? nil : snapshot
        observers.tell(snapshot)
    }

    func fullId(_ id: String) async throws -> String {
        if try await store.find(id) != nil { return id }
        let matches = try await store.ids(beginning: id)
        guard let match = matches.first, !id.isEmpty else { throw TransferStore.unknown(id) }
        guard matches.count == 1 else {
            throw ClientFailure(
                .transferNotFound, "More than one transfer begins with “\(id)”.", remedy: "Give more of its id.")
        }
        return match
    }

    // MARK: - Ending

    /// Stops what this process runs; each stays `paused(stopped)`, to be resumed later.
    public func stop() async {
        stopped = true
        queue.removeAll()
        watching?.cancel()
        for id in Array(running.keys) { pass(.stop, to: id) }
        while let task = ended.values.first { await task.value }
        told.finish()
        await telling?.value
        // An observer of what has not begun, or what another process runs, waits for a word too.
        await tellStanding(observers.watched)
    }

    var isStopped: Bool { stopped }
}
