import BothyContract

/// Acts as a download's machine decides.
package actor DownloadRunner: TransferRunner {
    private let services: TransferServices
    private let partial: PartialFile
    private let tasks: TransferTasks<DownloadMachine.Event>
    private nonisolated let send: @Sendable (DownloadMachine.Event) -> Void
    private var machine: DownloadMachine
    private var content: RemoteContent?
    /// Answers the first look-up.
    private var known: RemoteContent?
    private var file: (any LocalFile)?
    private let moved: MovedBytes
    private var report: TransferReport
    private var cadence: ProgressCadence
    private let saver: TransferSaver

    package init(_ transfer: DownloadTransfer, known: RemoteContent? = nil, services: TransferServices) {
        self.services = services
        self.known = known
        machine = DownloadMachine(transfer)
        let (partial, moved) = (PartialFile(transfer, disk: services.environment.disk), MovedBytes())
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
    }

    package nonisolated func ask(_ wish: TransferWish) { send(.asked(wish)) }

    package func run() async -> TransferEnd {
        var actions = machine.handle(.begin)
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
        guard transfer.state == .completed, let revisionId = transfer.revisionId,
            let sketch = try? await partial.sketched(as: revisionId)
        else { return }
        try? await services.store.keepUnlessKnown(sketch, of: transfer.remoteFileId)
    }

    /// Writes the record for whoever goes on.
    private func finish() async -> TransferRecord {
        var transfer = machine.transfer
        transfer.runner = nil
        transfer.updatedAt = services.clock.now()
        await saver.finish(.download(transfer))
        return .download(transfer)
    }

    private func perform(_ action: DownloadMachine.Action) async {
        switch action {
        case .lookUp(let fileId, let revisionId):
            let known = known
            self.known = nil
            begin { [weak self, source = services.content] in
                let content: RemoteContent
                if let known {
                    content = known
                } else {
                    content = try await source.lookUp(fileId, revisionId: revisionId)
                }
                await self?.found(content)
                return .lookedUp(content)
            } orElse: {
                .lookUpRefused($0)
            }
        case .prepare(let keeping, let again): await prepare(keeping: keeping, again: again)
        case .reuse(let fileId, let revisionId): reuse(fileId: fileId, revisionId: revisionId)
        case .fetch(let chunks): fetch(chunks)
        case .hash(let end): hash(upTo: end)
        case .promote: promote()
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

    private func found(_ content: RemoteContent) { self.content = content }
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
        begin { [partial, moved, source = services.content] in
            guard try await partial.hasBasis() else { return .reused([]) }
            let reuse = try await partial.reuse(source.blocks(of: revisionId, of: fileId))
            let patches = PatchFetch(of: revisionId, of: fileId, from: source, into: partial, moved: moved)
            let (patched, carried) = try await patches.fetch(PatchWish.wishes(for: reuse))
            return .reused((reuse.ranges + patched).merged(), carried: carried)
        } orElse: { _ in
            .reused([])
        }
    }

    private func fetch(_ chunks: ChunkRun) {
        guard let file, let grid = machine.transfer.grid, let url = content?.downloadUrl else {
            let nowhere = TransferFailure(.answerInvalid, "The server names no address for “\(machine.transfer.name)”.")
            return begin {
                .rangeRefused(chunks, nowhere, taken: 0)
            } orElse: {
                .rangeRefused(chunks, $0, taken: 0)
            }
        }
        let range = grid.offset(of: chunks.first)..<grid.offset(of: chunks.last + 1)
        let etag = machine.transfer.etag
        let (source, limit) = (services.content, services.receiving)
        tasks.begin { [moved] tell in
            let sink = RangeSink(
                file: file, range: range, grid: grid, etag: etag, limit: limit, arrived: { tell(.chunkArrived($0)) },
                moved: { moved.add($0) })
            return await Self.event {
                try await source.fetch(url, range: range, etag: etag, into: sink)
                try sink.checkComplete()
                return .rangeDone(chunks)
            } orElse: {
                // What the disk refuses is not the server's fault.
                [.diskFull, .diskFailed, .permissionDenied].contains($0.code)
                    ? .diskFailed($0) : .rangeRefused(chunks, $0, taken: sink.offset - range.lowerBound)
            }
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
        var transfer = machine.transfer
        transfer.updatedAt = services.clock.now()
        saver.save(.download(transfer))
    }

    private func begin(
        _ work: @escaping @Sendable () async throws -> DownloadMachine.Event?,
        orElse refusal: @escaping @Sendable (TransferFailure) -> DownloadMachine.Event
    ) {
        tasks.begin { _ in await Self.event(work, orElse: refusal) }
    }

    private static func event(
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
            return refusal(TransferFailure(.diskFailed, "Something unforeseen happened: \(error)."))
        }
    }
}
