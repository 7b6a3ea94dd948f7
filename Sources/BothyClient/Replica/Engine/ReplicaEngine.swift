import BothyContract
import Foundation

/// A device's replica of the account's drive: what is known of it here, what a person did that waits to be sent, and
/// both together as they are shown. It works the same with a connection and without one.
///
/// It may be used by short commands, each of which pulls and pushes for itself, and by one process that lives long:
/// `start`, then `pull` whenever something is new.
public actor ReplicaEngine {
    let drive: any DriveProvider
    let environment: ClientEnvironment
    let content: ContentStore
    private let path: String
    let lockPath: String
    /// The domains that the journal has beside files.
    private let domains: [any JournalDomain]
    private var opening: ReplicaDatabase.Opening?
    var runner: JournalRunner?
    var running: Task<Void, Never>?
    private var lock: FileLock?
    let parts = ReplicaParts()
    let listing: FolderListing
    /// What its owner calls this device.
    let deviceName: @Sendable () -> String
    /// Operations that have just met something else, to be decided about as the policies say.
    var unsettled = [Int64]()
    private var settling: Task<Void, Never>?
    /// Until what could not be written down is tried again.
    private var resting: Task<Void, any Error>?
    /// What this process has met that waits for a person.
    var waits = [JournalOperation]()
    /// What other devices have changed, and this process has heard of since somebody asked.
    private var arrived = [LUID]()
    /// More than these are told of as so many.
    private static let mostArrived = 1000
    /// Operations of a command that hears of their end itself: no policy decides about those.
    private var attended = Set<Int64>()
    /// Those of them that this process has seen done.
    private var attendedDone = Set<Int64>()
    /// Why the server refused what was taken back.
    private var refusals = [Int64: ClientFailure]()
    private static let mostRefusals = 100
    /// What this process has looked at: the server's ids of folders, and revisions whose content was read here.
    var usedFolders = Set<String>()
    var usedContent = Set<String>()

    /// One page of a folder as the server lists it, by the folder's id and the `next` of the page before.
    package typealias FolderListing = @Sendable (_ folderId: String, _ page: String?) async throws -> GetFilesResponse

    /// - Parameters:
    ///   - path: the replica's database; opened when it is first needed.
    ///   - lockPath: held by the process that sends the journal.
    ///   - listing: asks the server for what is in a folder.
    ///   - deviceName: what its owner calls this device, for the names of conflict copies.
    ///   - domains: those that the journal has beside files.
    package init(
        path: String, lockPath: String, content: ContentStore, drive: any DriveProvider,
        listing: @escaping FolderListing, deviceName: @escaping @Sendable () -> String,
        domains: [any JournalDomain] = [], environment: ClientEnvironment
    ) {
        self.path = path
        self.lockPath = lockPath
        self.content = content
        self.drive = drive
        self.listing = listing
        self.deviceName = deviceName
        self.domains = domains
        self.environment = environment
    }

    package func store() throws -> ReplicaStore {
        if let opening { return opening.store }
        return try open().store
    }

    private func open(leavingUnreadable: Bool = false) throws -> ReplicaDatabase.Opening {
        let opened = try ReplicaDatabase.open(
            path: path, now: environment.clock.now(), leavingUnreadable: leavingUnreadable)
        opening = opened
        return opened
    }

    /// Opens the database, and begins anew without what waits in it and cannot be read. What can be read comes along, and the old file is
    /// kept.
    ///
    /// - Returns: where the old file lies, and how many operations came along; nil where all of it can be read.
    public func leaveUnreadable() throws -> (path: String, rescued: Int)? {
        if opening == nil { _ = try open(leavingUnreadable: true) }
        return try setAside()
    }

    /// Where a database that was damaged, or a newer Bothy's, was set aside when this was opened, and how many
    /// operations came along from it.
    public func setAside() throws -> (path: String, rescued: Int)? {
        _ = try store()
        return opening?.setAside.map { ($0, opening?.rescued ?? 0) }
    }

    /// Stops what runs, and lets go of the database.
    public func close() async throws {
        await stop()
        try await opening?.store.close()
        opening = nil
    }

    // MARK: - Pulling

    /// Brings what is known here up to the log's end.
    ///
    /// - Parameter pages: the most that are fetched now.
    /// - Returns: whether the end was reached.
    @discardableResult
    public func pull(pages: Int = .max) async throws -> Bool {
        let puller = ReplicaPuller(store: try store(), drive: drive, clock: environment.clock)
        return try await puller.pull(pages: pages) { effect in try await self.take(effect) }
    }

    /// Brings what is known here up to what this device has done itself, without asking.
    ///
    /// - Returns: false where only the log can tell that.
    package func takeOwnChanges(_ wanted: ReplicaPuller.OwnChangesWanted = .all) async throws -> Bool {
        let puller = ReplicaPuller(store: try store(), drive: drive, clock: environment.clock)
        return try await puller.takeOwnChanges(wanted) { effect in try await self.take(effect) }
    }

    private func take(_ effect: PageEffect) async throws {
        arrived += effect.arrived.prefix(Self.mostArrived - arrived.count)
        for operation in effect.retired { noteDone(operation) }
        await letGo(of: effect.retired)
        try await parts.rebase(effect, in: try store())
        if !effect.retired.isEmpty || !effect.keys.isEmpty { try await runner?.wake() }
    }

    /// The copies that were kept for operations that are over: what the server has now is at hand here, as long as there is
    /// room for it.
    func letGo(of operations: [JournalOperation]) async {
        let over = operations.filter { $0.content?.owned == true }
        guard !over.isEmpty else { return }
        // What cannot be told now is removed, as what the server has not is.
        let now = try? await store().ground { [subjects = over.map(\.subject)] ground in
            var files = [LUID: ReplicaFile]()
            for subject in subjects { files[subject] = try ground.file(subject) }
            return files
        }
        for operation in over {
            guard let kept = operation.content else { continue }
            // A copy that can be neither moved nor removed now is swept later.
            if let now = now?[operation.subject], now.checksum == kept.checksum, let revision = now.headRevisionId {
                // A copy that cannot be kept is fetched again when it is wanted.
                try? environment.disk.rename(kept.path, to: content.heldPath(revision), replacing: true)
                usedContent.insert(revision)
            } else {
                // A copy that cannot be removed costs room, and nothing else.
                try? environment.disk.remove(kept.path)
            }
        }
    }

    /// Each is told once, however often it has changed.
    func clearArrived() -> [LUID] {
        var seen = Set<LUID>()
        defer { arrived = [] }
        return arrived.filter { seen.insert($0).inserted }
    }

    // MARK: - Pushing

    /// How a push came to rest.
    public enum Push: Equatable, Sendable {
        /// What could be sent was sent.
        case done
        /// Nothing can be sent for now, for this reason; the next push tries again.
        case held(ClientFailure)
        /// Another process of this device sends the journal.
        case elsewhere
    }

    /// Sends what waits, as far as that can be done now.
    public func push() async throws -> Push {
        if running != nil {
            try await runner?.wake()
            return .elsewhere
        }
        guard let lock = try FileLock.tryTake(lockPath) else { return .elsewhere }
        defer { withExtendedLifetime(lock) {} }
        let runner = try makeRunner()
        var rest = try await runner.push()
        for _ in 0..<Self.exchanges {
            guard rest == .done, await runner.waitsForNews else { break }
            try await pull()
            rest = try await runner.push()
        }
        try await settleConflicts()
        return Self.push(rest)
    }

    private static func push(_ rest: JournalRunner.Rest) -> Push {
        switch rest {
        case .done: .done
        case .held(.signIn(let failure)), .held(.until(_, let failure)): .held(failure)
        }
    }

    /// Sends what waits of one domain alone, as far as that can be done now, and hears the answers.
    ///
    /// - Parameter isAlone: false sends all else too: something of it waits for that.
    package func push(
        only domain: JournalDomainName, lane: JournalMachine.Lane, isAlone: Bool = true
    ) async throws -> Push {
        guard try await store().hasToSend(domain) else { return .done }
        if running != nil, let runner {
            try await runner.wake()
            await runner.rest(of: lane)
            return Self.push(await runner.hold.map(JournalRunner.Rest.held) ?? .done)
        }
        if !isAlone {
            let push = try await push()
            if push == .elsewhere { try await leaveToSender(domain) }
            return push
        }
        guard let lock = try FileLock.tryTake(lockPath) else {
            try await leaveToSender(domain)
            return .elsewhere
        }
        defer { withExtendedLifetime(lock) {} }
        return Self.push(try await makeRunner(only: domain).push())
    }

    /// Another process of this device sends what waits: it is told, and given a moment, so that what comes of it can be said.
    func leaveToSender(_ domain: JournalDomainName) async throws {
        await environment.wakeSender()
        for _ in 0..<Self.looksAtSender {
            guard try await store().isSending(domain) else { return }
            try await environment.clock.sleep(seconds: Self.lookInterval)
        }
    }

    /// Looks at what another process sends, and seconds between two.
    private static let (looksAtSender, lookInterval) = (20, 0.05)

    /// - Parameter domain: sees this alone; nil for all.
    func makeRunner(only domain: JournalDomainName? = nil) throws -> JournalRunner {
        JournalRunner(
            store: try store(), drive: drive, domains: domains.filter { domain ?? $0.name == $0.name },
            alone: domain != nil, clock: environment.clock, chance: environment.chance,
            told: { [weak self] event in await self?.take(event) })
    }

    /// Why the server would not have what was taken back, for the caller who has just done it. Told once.
    package func takeRefusal(of id: Int64) -> ClientFailure? { refusals.removeValue(forKey: id) }

    private func take(_ event: JournalRunner.Event) async {
        // Where the database cannot be read now, what is open stays shown as it was until the next change.
        switch event {
        case .rolledBack(let operation):
            refusals[operation.id] = operation.lastError
            // Nobody asks for the oldest any more.
            if refusals.count > Self.mostRefusals, let oldest = refusals.keys.min() { refusals[oldest] = nil }
        case .changed(let operation as JournalOperation):
            try? await parts.look(at: operation, in: store())
            if operation.state == .conflict { meet(operation) }
        case .retired(let operation as JournalOperation):
            noteDone(operation)
            await letGo(of: [operation])
            // As above: what is open stays shown as it was.
            try? await parts.look(at: operation, in: store())
        case .changed, .retired: break
        }
    }

    /// The person who typed this waits for what becomes of it.
    func attend(_ operation: JournalOperation) { attended.insert(operation.id) }

    private func noteDone(_ operation: JournalOperation) {
        if attended.contains(operation.id) { attendedDone.insert(operation.id) }
    }

    /// What became of an operation that was attended, and is not in the journal any more.
    enum AttendedEnd: Sendable {
        case done
        /// Something else was decided to be done in its place.
        case replaced(JournalOperation)
        case givenUp(ClientFailure)
    }

    /// Another process of this device may have sent it, decided about it by the policy, or discarded it.
    func end(ofAttended operation: JournalOperation) async throws -> AttendedEnd {
        if attendedDone.contains(operation.id) { return .done }
        let decision = try await decisions().first { $0.operation.requestId == operation.requestId }
        if let decision, decision.undoneAt == nil {
            if let made = decision.made { return .replaced(made) }
            return .givenUp(
                decision.operation.lastError
                    ?? ClientFailure(.changedMeanwhile, "It conflicted with something newer, which was kept."))
        }
        if try await drive.end(of: operation.requestId, withdrawing: false) != .nothing { return .done }
        return .givenUp(
            ClientFailure(
                .canceled, "It was not done: another command on this device has discarded it.",
                remedy: "Do it again if you still want it."))
    }

    private func meet(_ operation: JournalOperation) {
        guard !attended.contains(operation.id) else { return }
        unsettled.append(operation.id)
        settleByItself()
    }

    private func settleByItself() {
        guard running != nil, settling == nil, !unsettled.isEmpty else { return }
        // Without a connection it waits for a person, as under «ask»; nothing is lost by that.
        settling = Task {
            try? await settleConflicts()
            settling = nil
        }
    }

    /// Sends the journal from now on, whatever comes, until `stop`.
    ///
    /// - Returns: false when another process of this device does so already.
    public func start() throws -> Bool {
        guard running == nil else { return true }
        guard let taken = try FileLock.tryTake(lockPath) else { return false }
        // Where this throws, the lock is released, so that sending can be tried again, here or in another process.
        runner = try makeRunner()
        lock = taken
        running = Task { await keepSending() }
        return true
    }

    /// A runner that cannot write down what it does, as on a full disk, ends; the next one goes by what is written.
    private func keepSending() async {
        var failures = 0
        while let current = runner {
            do {
                return try await current.run()
            } catch {
                await current.stop()
                var (cause, next) = (error, JournalRunner?.none)
                while next == nil, runner === current {
                    failures += 1
                    await rest(after: cause, failures: failures)
                    do {
                        next = try makeRunner()
                    } catch {
                        cause = error
                    }
                }
                guard let next, runner === current else { return }
                runner = next
            }
        }
    }

    private func rest(after error: any Error, failures: Int) async {
        let seconds = RetryPolicy.untilNextLook(
            after: error as? ClientFailure ?? ClientFailure(.unexpected, "\(error)"), failures: failures,
            chance: environment.chance())
        let rest = Task { [environment] in try await environment.clock.sleep(seconds: seconds) }
        resting = rest
        // Its failure was told to the caller that began it.
        _ = try? await rest.value
    }

    /// Ends sending; what was on its way is sent again under the same request id.
    public func stop() async {
        let current = runner
        runner = nil
        await current?.stop()
        resting?.cancel()
        await running?.value
        await settling?.value
        running = nil
        lock = nil
    }

    /// There is a way to the server, somebody signed in, or another process has written down something: what waits is
    /// tried at once.
    public func wake() async throws {
        try await parts.reload(in: try store())
        resting?.cancel()
        try await runner?.wake()
        settleByItself()
    }

    // MARK: - Observing

    /// An open folder: all of it first, then what changes.
    public func observe(_ folder: LUID) async throws -> AsyncStream<FolderDelta> {
        try await completeOne(folder)
        return try await parts.open(folder, in: try store())
    }

    /// The same, but each delta is told before the call that made the change returns. `detach` ends it.
    ///
    /// - Returns: what it is let go by, and the moment of which all of it was.
    func attach(
        _ folder: LUID, tell: @escaping @Sendable (FolderDelta) -> Void
    ) async throws -> (number: Int, moment: FolderMark) {
        try await completeOne(folder)
        return try await parts.attach(folder, in: try store(), tell: tell)
    }

    func detach(_ number: Int) async { await parts.detach(number) }
}

/// Something about a conflict that a person should hear of.
public enum ConflictNews: Equatable, Sendable {
    case waits(JournalOperation)
    case decided(ConflictDecision)
}

extension ReplicaEngine {
    /// What was decided without asking, by whichever process, and what this one met that waits: each is told once.
    public func takeNews() async throws -> [ConflictNews] {
        let waiting = waits
        waits = []
        return try await store().untoldDecisions().map(ConflictNews.decided) + waiting.map(ConflictNews.waits)
    }
}

extension ReplicaEngine {
    /// The names of what other devices have changed since this was asked last; what has gone again meanwhile is not among
    /// them.
    func takeArrivals() async throws -> [String] {
        let luids = clearArrived()
        guard !luids.isEmpty else { return [] }
        return try await read { view in
            var names = [String]()
            for luid in luids {
                guard let file = try view.file(luid), !file.hidden, try !view.isTrashed(luid) else { continue }
                names.append(file.name)
            }
            return names
        }
    }
}
