import BothyContract
import NIOCore

/// Acts as an upload's machine decides.
package actor UploadRunner: TransferRunner {
    private struct Kept {
        var bytes: ByteBuffer
        var hash: ContentHash
    }

    private let services: TransferServices
    private let reader: UploadReader
    private let tasks: TransferTasks<UploadMachine.Event>
    private nonisolated let send: @Sendable (UploadMachine.Event) -> Void
    private var machine: UploadMachine
    private var kept = [Int: Kept]()
    private let moved = MovedBytes()
    private var report: TransferReport
    private let saver: TransferSaver

    package init(_ transfer: UploadTransfer, services: TransferServices) {
        self.services = services
        machine = UploadMachine(transfer)
        reader = UploadReader(
            path: transfer.localPath, disk: services.environment.disk, smallReads: services.smallReads)
        tasks = TransferTasks(on: services.executor)
        send = tasks.sender
        report = TransferReport(clock: services.clock)
        saver = TransferSaver(store: services.store, on: services.executor)
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

    /// What the disk of the home refuses ends the transfer like what the source refuses.
    private func nextEvent() async -> UploadMachine.Event? {
        if let failure = saver.failure { return .sourceFailed(failure) }
        return await tasks.next()
    }

    private func rest() async -> TransferEnd {
        await tasks.giveUp()
        kept = [:]
        var transfer = machine.transfer
        transfer.runner = nil
        transfer.updatedAt = services.clock.now()
        await saver.finish(.upload(transfer))
        return TransferEnd(record: .upload(transfer), bytesMoved: moved.value)
    }

    private func perform(_ action: UploadMachine.Action) async {
        switch action {
        case .lookAtSource:
            begin { [reader] in
                .sourceLooked(try await reader.look())
            } orElse: {
                .sourceFailed($0)
            }
        case .startSession(let request):
            begin { [uploads = services.uploads] in
                .sessionTold(try await uploads.start(request))
            } orElse: {
                .sessionRefused($0)
            }
        case .askSession(let session):
            begin { [uploads = services.uploads] in
                .sessionTold(try await uploads.status(session))
            } orElse: {
                .sessionRefused($0)
            }
        case .read(let index, let keeping): read(index, keeping: keeping)
        case .rewind:
            await tasks.giveUp()
            kept = [:]
            begin { [reader] in
                try await reader.rewind()
                return nil
            } orElse: {
                .sourceFailed($0)
            }
        case .send(let index): sendChunk(index)
        case .forget(let index): await forget(index)
        case .sendWhole(let request): sendWhole(request)
        case .finalize(let session, let request):
            begin { [uploads = services.uploads] in
                .finalized(try await uploads.finalize(session, request))
            } orElse: {
                .finalizeRefused($0)
            }
        case .cancelSession(let session): cancel(session)
        case .backOff(let failure, let failures):
            begin { [services] in
                try await services.backOff(failure, failures: failures)
                return .backedOff
            } orElse: {
                .sessionRefused($0)
            }
        case .save: await save()
        case .rest: break
        }
    }

    // MARK: - Bytes

    private func read(_ index: Int, keeping: Bool) {
        guard let grid = machine.transfer.grid, let pin = machine.transfer.source else { return }
        begin { [weak self, reader] in
            let chunk = try await reader.read(index, of: grid, keeping: keeping, pin: pin)
            await self?.keep(chunk, index)
            return .chunkRead(index, wholeHash: chunk.wholeHash)
        } orElse: {
            .sourceFailed($0)
        }
    }

    private func keep(_ chunk: UploadReader.Chunk, _ index: Int) {
        guard let bytes = chunk.bytes, let hash = chunk.hash else { return }
        kept[index] = Kept(bytes: bytes, hash: hash)
    }

    private func forget(_ index: Int) async {
        guard let chunk = kept.removeValue(forKey: index) else { return }
        begin { [reader] in
            try await reader.recycle(chunk.bytes)
            return nil
        } orElse: {
            .sourceFailed($0)
        }
    }

    private func sendChunk(_ index: Int) {
        guard let chunk = kept[index], let grid = machine.transfer.grid, let session = machine.transfer.sessionId else {
            return
        }
        let bounds = grid.range(of: index)
        let range = ContentRange(first: bounds.lowerBound, last: bounds.upperBound - 1, total: grid.size)
        moved.add(bounds.count)
        begin { [uploads = services.uploads, clock = services.clock] in
            let start = clock.uptime()
            let (status, answer) = try await uploads.send(chunk.bytes, hash: chunk.hash, range: range, to: session)
            return .chunkSent(index, answer, status: status, seconds: clock.uptime() - start)
        } orElse: {
            .chunkRefused(index, $0)
        }
    }

    private func sendWhole(_ request: UploadRequest) {
        guard let pin = machine.transfer.source else { return }
        moved.add(Int(pin.size))
        begin { [reader, services] in
            if pin.size <= UploadLimits.batchContent {
                let sent = try await services.smallUploads.send(request) { try await reader.readWhole(pin: pin) }
                return .wholeSent(sent.file, sent.hash, status: sent.status)
            }
            let (bytes, hash) = try await reader.readWhole(pin: pin)
            var request = request
            request.fileHashSha256 = hash
            let (status, file) = try await services.uploads.sendWhole(bytes, request)
            return .wholeSent(file, hash, status: status)
        } orElse: {
            .wholeRefused($0)
        }
    }

    /// Best effort: a session that cannot be canceled now expires by itself. It outlives the transfer's own tasks.
    private func cancel(_ session: String) {
        let uploads = services.uploads
        Task { try? await uploads.cancel(session) }
    }

    // MARK: - Records

    private func save() async {
        // What one request sends is begun again from nothing; only its end is worth a write.
        if machine.transfer.state == .preparing, machine.transfer.sessionId == nil { return }
        var transfer = machine.transfer
        transfer.updatedAt = services.clock.now()
        saver.save(.upload(transfer))
    }

    private func begin(
        _ work: @escaping @Sendable () async throws -> UploadMachine.Event?,
        orElse refusal: @escaping @Sendable (TransferFailure) -> UploadMachine.Event
    ) {
        tasks.begin { _ in
            do {
                return try await work()
            } catch let failure as TransferFailure {
                return refusal(failure)
            } catch is CancellationError {
                return nil
            } catch {
                return refusal(TransferFailure(.diskFailed, "Something unforeseen happened: \(error)."))
            }
        }
    }
}
