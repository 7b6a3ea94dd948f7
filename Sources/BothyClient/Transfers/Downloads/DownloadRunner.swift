import BothyContent
import BothyContract

/// Acts as a download's machine decides.
package actor DownloadRunner: TransferRunner {
    let services: TransferServices
    let partial: PartialFile
    let tasks: TransferTasks<DownloadMachine.Event>
    nonisolated let send: @Sendable (DownloadMachine.Event) -> Void
    private(set) var machine: DownloadMachine
    var content: RemoteContent?
    /// Answers the first look-up.
    var known: RemoteContent?
    /// How it is fetched along with others; nil where it is not small, or was.
    var shared: SharedFetch?
    /// What came so.
    var brought: SmallDownloads.Brought?
    private(set) var file: (any LocalFile)?
    let moved: MovedBytes
    private var report: TransferReport
    private var cadence: ProgressCadence
    let saver: TransferSaver
    /// Whether it begins, and does not continue one that left a company.
    private let begins: Bool

    /// - Parameter departure: why it goes in no company any more, where it did.
    init(
        _ transfer: DownloadTransfer, known: RemoteContent? = nil, shared: SharedFetch? = nil,
        after departure: Departure? = nil, services: TransferServices
    ) {
        self.services = services
        self.shared = shared
        if case .download(let gone, _)? = departure {
            (machine, content) = (gone, known)
        } else {
            (machine, self.known) = (DownloadMachine(transfer), known)
        }
        begins = departure?.begins ?? true
        let (partial, moved) = (PartialFile(transfer, on: services.disk, isSmall: shared != nil), MovedBytes())
        self.partial = partial
        self.moved = moved
        tasks = TransferTasks(on: services.executor)
        send = tasks.sender
        report = TransferReport(clock: services.clock)
        cadence = ProgressCadence(now: services.clock.uptime())
        // A record never says of bytes that they are here before a power cut would leave them here.
        saver = TransferSaver(store: services.store, on: services.executor) {
            try await partial.makeDurable(moved: moved.value)
        }
        switch departure {
        case .asked(let wish)?: send(.asked(wish))
        case .download(_, let event)?: send(event)
        case .upload?, .unusual?, nil: break
        }
    }

    package nonisolated func ask(_ wish: TransferWish) { send(.asked(wish)) }

    package func run() async -> TransferEnd {
        var actions = begins ? machine.handle(.begin) : []
        while true {
            // The record is written once more when it rests; what would be written just before that is in it.
            if actions.contains(.rest) {
                for action in actions where action != .save && action != .rest { await perform(action) }
                return await rest()
            }
            for action in actions { await perform(action) }
            let snapshot = machine.transfer.snapshot(bytesMoved: moved.value)
            if report.isDue(snapshot) { await services.tell(snapshot) }
            guard let event = await nextEvent() else { return await rest() }
            actions = machine.handle(event)
        }
    }

    private func nextEvent() async -> DownloadMachine.Event? {
        if let failure = saver.failure { return saver.lostWrites ? .writesLost(failure) : .diskFailed(failure) }
        return await tasks.next()
    }

    private func rest() async -> TransferEnd {
        await tasks.giveUp()
        shared?.seat.leave()
        brought = nil
        file = nil
        var record = await finish()
        if saver.lostWrites, let failure = saver.failure {
            _ = machine.handle(.writesLost(failure))
            // One that cannot be removed is not believed: its record has no progress.
            try? await partial.discard()
            record = await finish()
        }
        await remember()
        return TransferEnd(record: record, bytesMoved: moved.value)
    }

    /// Keeps what is needed to send the file as what changed, should it change here. Where that cannot be written, more is sent.
    private func remember() async {
        let transfer = machine.transfer
        // More is sent the next time where that cannot be read or written.
        guard transfer.state == .completed, let revisionId = transfer.revisionId, machine.isRemembered,
            let sketch = try? await partial.sketched(as: revisionId)
        else { return }
        try? await services.store.keepUnlessKnown(sketch, of: transfer.remoteFileId)
    }

    /// Writes the record for the process that resumes.
    private func finish() async -> TransferRecord {
        var transfer = machine.transfer
        transfer.runner = nil
        transfer.updatedAt = services.clock.now()
        await saver.finish(.download(transfer))
        return .download(transfer)
    }

    private func perform(_ action: DownloadMachine.Action) async {
        switch action {
        case .lookUp(let fileId, let revisionId): lookUp(fileId, revisionId)
        case .receive: receive()
        case .prepare(let keeping, let again): await prepare(keeping: keeping, again: again)
        case .reuse(let fileId, let revisionId):
            // What comes along with others, or has come, is not asked for once more.
            if shared == nil, brought == nil {
                reuse(fileId: fileId, revisionId: revisionId)
            } else {
                send(.reused([]))
            }
        case .fetch(let chunks): fetch(chunks)
        case .hash(let end): hash(upTo: end)
        case .promote:
            shared?.seat.leave()
            promote()
        case .discard:
            await tasks.giveUp()
            file = nil
            begin { [partial] in
                try await partial.discard()
                return nil
            } orElse: {
                .diskFailed($0)
            }
        case .backOff(let failure, let failures):
            shared?.seat.leave()
            begin { [services] in
                try await services.backOff(failure, failures: failures)
                return .backedOff
            } orElse: {
                .lookUpRefused($0)
            }
        case .save: save()
        case .noteProgress: if cadence.isDue(moved: moved.value, now: services.clock.uptime()) { save() }
        case .rest: break
        }
    }

    private func opened(_ file: any LocalFile) { self.file = file }

    private func prepare(keeping: Bool, again: Bool) async {
        await tasks.giveUp()
        guard let grid = machine.transfer.grid else { return }
        let missing = grid.size - grid.bytes(in: machine.transfer.downloadedChunks)
        let hash = again ? machine.transfer.expectedHash : nil
        begin { [weak self, partial] in
            switch try await partial.prepare(size: grid.size, missing: missing, keeping: keeping, begunFor: hash) {
            case .inPlace: return .foundInPlace
            case .open(let file, let kept):
                await self?.opened(file)
                return .prepared(kept: kept)
            }
        } orElse: {
            .diskFailed($0)
        }
    }

    /// What goes wrong here only means that more is fetched.
    private func reuse(fileId: String, revisionId: String) {
        let size = machine.transfer.expectedSize ?? 0
        begin { [partial, moved, source = services.content, store = services.store] in
            let patches = PatchFetch(of: revisionId, of: fileId, from: source, into: partial, moved: moved)
            if let wish = try await partial.wholeWish(size) {
                let (ranges, carried) = try await patches.fetch([wish])
                if !ranges.isEmpty { return .reused(ranges, carried: carried) }
            }
            guard size >= DownloadMachine.leastWorthListing, try await partial.hasBasis() else { return .reused([]) }
            // Where the drive's are unknown here, what was sent before they changed is found still.
            let cuts = try await store.cuts() ?? .newest
            let blocks = try await source.blocks(of: revisionId, of: fileId)
            // A list of another file would have bytes put behind the end of this one.
            guard blocks.reduce(0, { $0 + $1.size }) == size else { return .reused([]) }
            let reuse = try await partial.reuse(blocks, cutBy: cuts)
            let (patched, carried) = try await patches.fetch(PatchWish.wishes(for: reuse))
            return .reused((reuse.ranges + patched).merged(), carried: carried)
        } orElse: { _ in
            .reused([])
        }
    }

    private func hash(upTo end: Int64) {
        guard let size = machine.transfer.expectedSize else { return }
        begin { [partial] in
            try await partial.hash(upTo: end, of: size).map { .hashed($0) }
        } orElse: {
            .diskFailed($0)
        }
    }

    private func promote() {
        let transfer = machine.transfer
        begin { [partial] in
            try await partial.promote(executable: transfer.executable, modifiedAt: transfer.modifiedAt)
            return .promoted
        } orElse: {
            .diskFailed($0)
        }
    }

    private func save() {
        // Of what comes along with others nothing is worth a write before it is about to be put in its place.
        if machine.transfer.state == .preparing, shared != nil || brought != nil { return }
        var transfer = machine.transfer
        transfer.updatedAt = services.clock.now()
        saver.save(.download(transfer))
    }

    func begin(
        _ work: @escaping @Sendable () async throws -> DownloadMachine.Event?,
        orElse refusal: @escaping @Sendable (TransferFailure) -> DownloadMachine.Event
    ) {
        tasks.begin { _ in await Self.event(work, orElse: refusal) }
    }

    static func event(
        _ work: @Sendable () async throws -> DownloadMachine.Event?,
        orElse refusal: @Sendable (TransferFailure) -> DownloadMachine.Event
    ) async -> DownloadMachine.Event? {
        do {
            return try await work()
        } catch let loss as WritesLost {
            return .writesLost(loss.failure)
        } catch let failure as TransferFailure {
            return refusal(failure)
        } catch is CancellationError {
            return nil
        } catch {
            return refusal(TransferFailure(.unexpected, "An unexpected error occurred: \(error)."))
        }
    }
}
