import BothyContent
import BothyContract
import NIOCore

/// Acts as an upload's machine decides.
package actor UploadRunner: TransferRunner {
    private struct Kept {
        var bytes: ByteBuffer
        /// Where in the file they begin.
        var start: Int64
    }

    private let services: TransferServices
    private let reader: UploadReader
    private let tasks: TransferTasks<UploadMachine.Event>
    private nonisolated let send: @Sendable (UploadMachine.Event) -> Void
    private var machine: UploadMachine
    /// By segment.
    private var kept = [Int: Kept]()
    /// What the drive has of the file, as far as this device remembers; nil where it does not.
    private var basis: UploadBasis?
    /// The server was asked for that: it is once, whatever it said.
    private var hasAskedForSketch = false
    private let moved = MovedBytes()
    /// What the server said that the file has become, where it said all of it.
    private var told: File?
    private var report: TransferReport
    private let saver: TransferSaver

    /// Whether it begins, and does not continue one that left a company.
    private let begins: Bool

    /// - Parameter departure: why it goes in no company any more, where it did.
    init(_ transfer: UploadTransfer, after departure: Departure? = nil, services: TransferServices) {
        self.services = services
        if case .upload(let gone, _)? = departure { machine = gone } else { machine = UploadMachine(transfer) }
        begins = departure?.begins ?? true
        reader = UploadReader(
            path: transfer.localPath, disk: services.environment.disk, smallReads: services.smallReads)
        tasks = TransferTasks(on: services.executor)
        send = tasks.sender
        report = TransferReport(clock: services.clock)
        saver = TransferSaver(store: services.store, on: services.executor)
        switch departure {
        case .asked(let wish)?: send(.asked(wish))
        case .upload(_, let event)?: send(event)
        case .download?, .unusual?, nil: break
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
            let snapshot = machine.transfer.snapshot(bytesMoved: moved.value, onTheWay: machine.bytesOnTheWay)
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
        await remember()
        return TransferEnd(
            record: .upload(transfer), bytesMoved: moved.value, file: transfer.state == .completed ? told : nil)
    }

    private func note(_ file: File?) { told = file ?? told }

    private func perform(_ action: UploadMachine.Action) async {
        switch action {
        case .lookAtSource:
            begin { [weak self, reader, services] in
                let facts = try await reader.look()
                return .sourceLooked(
                    facts, hasBasis: await self?.recall(facts) ?? false, cuts: try await services.store.cuts())
            } orElse: {
                .sourceFailed($0)
            }
        case .hashAndStart(let request): hashAndStart(request)
        case .startSession(let request):
            begin { [weak self, services] in
                let told = try await services.uploads.start(request)
                await self?.note(told.file)
                return .sessionTold(told)
            } orElse: {
                .sessionRefused($0)
            }
        case .askSession(let session):
            begin { [weak self, services] in
                let told = try await services.uploads.status(session)
                await self?.note(told.file)
                return .sessionTold(told)
            } orElse: {
                .sessionRefused($0)
            }
        case .readOn: readOn()
        case .name(let session, let request):
            begin { [uploads = services.uploads, basis] in
                .named(try await uploads.extendPlan(of: session, request, knowing: basis))
            } orElse: {
                .nameRefused($0)
            }
        case .rewind:
            await tasks.giveUp()
            kept = [:]
            begin { [reader] in
                try await reader.rewind()
                return nil
            } orElse: {
                .sourceFailed($0)
            }
        case .send(let piece): sendPiece(piece)
        case .forget(let index): await forget(index)
        case .sendWhole(let request): sendWhole(request)
        case .finalize(let session, let request):
            begin { [weak self, uploads = services.uploads] in
                let answer = try await uploads.finalize(session, request)
                await self?.note(answer.file)
                return .finalized(answer)
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
        case .note(let parameters):
            // Where that cannot be written, the next upload is told again.
            try? await services.store.keep(parameters)
        case .save: await save()
        case .rest: break
        }
    }

    // MARK: - Bytes

    private func division(of pin: SourcePin) -> UploadReader.Division {
        let transfer = machine.transfer
        if transfer.plan == .fixed { return .grid(ChunkGrid(size: pin.size, chunkSize: transfer.chunkSize)) }
        let sizes = machine.cuts.sizes(forFileOf: pin.size, longest: transfer.chunkSize)
        return .content(sizes, segment: transfer.chunkSize)
    }

    /// Files up to so many bytes start their sessions together, once the last of them is read: a fraction of a second.
    private static let mostHashedTogether: Int64 = 256 << 20

    private func hashAndStart(_ request: UploadRequest) {
        guard let pin = machine.transfer.source else { return }
        let (division, twins) = (division(of: pin), machine.transfer.twins)
        begin { [weak self, reader, services] tell in
            let hashed: @Sendable () async throws -> UploadRequest = {
                var request = request
                do {
                    let hash = try await reader.hashAll(division, pin: pin)
                    request.fileHashSha256 = hash
                    guard twins.contains(hash) else {
                        try await reader.rewind()
                        throw NotStarted(failure: nil)
                    }
                } catch let failure as TransferFailure {
                    throw NotStarted(failure: failure)
                }
                tell(.sourceHashed(request.fileHashSha256))
                return request
            }
            do {
                let told =
                    pin.size <= Self.mostHashedTogether
                    ? try await services.sessionStarts.start(reading: hashed)
                    : try await services.uploads.start(try await hashed())
                await self?.note(told.file)
                return .sessionTold(told)
            } catch let end as NotStarted {
                if let failure = end.failure { return .sourceFailed(failure) }
                return .sourceHashed(nil, hasBasis: await self?.askForSketch(pin.size) ?? false)
            }
        } orElse: {
            .sessionRefused($0)
        }
    }

    private struct NotStarted: Error {
        /// nil where the drive is not known to have the file.
        let failure: TransferFailure?
    }

    private func readOn() {
        guard let pin = machine.transfer.source else { return }
        let division = division(of: pin)
        begin { [weak self, reader] in
            let (bytes, segment) = try await reader.readOn(division, pin: pin)
            await self?.keep(bytes, of: segment)
            return .segmentRead(segment, hasBasis: await self?.recall(segment) ?? false)
        } orElse: {
            .sourceFailed($0)
        }
    }

    private func keep(_ bytes: ByteBuffer, of segment: UploadSegment) {
        kept[segment.index] = Kept(bytes: bytes, start: segment.start)
    }

    private func forget(_ segment: Int) async {
        guard let segment = kept.removeValue(forKey: segment) else { return }
        begin { [reader] in
            try await reader.recycle(segment.bytes)
            return nil
        } orElse: {
            .sourceFailed($0)
        }
    }

    private func sendPiece(_ piece: UploadPiece) {
        guard let segment = kept[piece.segment], let session = machine.transfer.sessionId,
            let bytes = segment.bytes.getSlice(at: Int(piece.start - segment.start), length: Int(piece.size))
        else { return }
        let range = ContentRange(
            first: piece.start, last: piece.start + piece.size - 1, total: machine.transfer.fileSize)
        let chunks = UploadsRemoteSource.Chunks(bytes: bytes, hash: piece.hash, range: range)
        let handed = HandedBytes(clock: services.clock)
        begin { [weak self, uploads = services.uploads, clock = services.clock, basis, moved] tell in
            let start = clock.uptime()
            let taken = try await uploads.send(
                chunks, to: session, knowing: basis, begins: { moved.add($0) },
                handed: { if let bytes = handed.add($0) { tell(.handed(piece, bytes)) } })
            if taken.lacksBasis { await self?.forgetBasis() }
            return .sent(
                piece, taken.answer, status: taken.status, seconds: clock.uptime() - start, carried: taken.carried)
        } orElse: {
            .sendRefused(piece, $0)
        }
    }

    private func sendWhole(_ request: UploadRequest) {
        guard let pin = machine.transfer.source else { return }
        moved.add(Int(pin.size))
        let (isChange, expected) = (machine.transfer.fileId != nil, machine.transfer.expectedHash)
        let known = machine.transfer.knownHash
        let read: @Sendable () async throws -> (bytes: ByteBuffer, hash: ContentHash) = { [reader] in
            let whole = try await reader.readWhole(pin: pin, known: known, isChange: isChange)
            guard expected == nil || whole.hash == expected else { throw DamagedSource() }
            return whole
        }
        let handed = HandedBytes(clock: services.clock)
        begin { [weak self, services] tell in
            if pin.size <= UploadLimits.batchContent {
                let sent = try await services.smallUploads.send(request, reading: read)
                await self?.note(sent.stored.whole)
                return .wholeSent(sent.stored.file, sent.hash, status: sent.stored.status)
            }
            let (bytes, hash) = try await read()
            var request = request
            request.fileHashSha256 = hash
            let stored = try await services.uploads.sendWhole(bytes, request) {
                if let bytes = handed.add($0) { tell(.handed(nil, bytes)) }
            }
            await self?.note(stored.whole)
            return .wholeSent(stored.file, hash, status: stored.status)
        } orElse: {
            .wholeRefused($0)
        }
    }

    private struct DamagedSource: Error {}

    /// Best effort: a session that cannot be canceled now expires by itself. It outlives the transfer's own tasks.
    private func cancel(_ session: String) {
        let uploads = services.uploads
        Task { try? await uploads.cancel(session) }
    }

    // MARK: - What is known of the file

    /// Looks up what was sent before. Where that cannot be read, more is sent.
    private func recall(_ facts: FileFacts) async -> Bool {
        if basis == nil, let fileId = machine.transfer.fileId, RevisionSketch.isWorthIt(facts.size, isChange: true) {
            basis = try? await services.store.sketch(of: fileId).map(UploadBasis.init)
            // One that the drive may have elsewhere is read for its hash first: nothing of it may have to be sent.
            if machine.transfer.twins.isEmpty { return await askForSketch(facts.size) }
        }
        return basis != nil
    }

    /// Where nothing is known here, the server is asked what the version before is like. Where it does not say, more is sent.
    ///
    /// - Parameter size: bytes of the file.
    private func askForSketch(_ size: Int64) async -> Bool {
        guard basis == nil, !hasAskedForSketch, let fileId = machine.transfer.fileId,
            let revisionId = machine.transfer.ancestorId, RevisionSketch.isWorthIt(size, isChange: true),
            size <= SketchFormat.fileSizes.upperBound
        else { return basis != nil }
        hasAskedForSketch = true
        // More is sent where the server does not say.
        if let fragments = try? await services.content.sketch(of: revisionId, of: fileId), !fragments.hashes.isEmpty {
            basis = UploadBasis(RevisionSketch(revisionId: revisionId, blocks: [], fragments: fragments))
        }
        return basis != nil
    }

    /// Looks for another file that begins as this one does: of a copy, of one of two that were swapped and of a log that was
    /// rotated the drive has everything.
    private func recall(_ segment: UploadSegment) async -> Bool {
        // More is sent where what is known cannot be read.
        guard segment.index == 0, let first = segment.blocks.first, machine.transfer.plan == .open,
            basis?.has(oneOf: segment.blocks) != true,
            let sketch = try? await services.store.sketch(beginningWith: first)
        else { return false }
        basis = UploadBasis(sketch)
        return true
    }

    /// What the server does not have is asked of it once, and not for each part of the file.
    private func forgetBasis() { basis = nil }

    /// Keeps what was sent. Where that cannot be written, more is sent the next time.
    private func remember() async {
        let transfer = machine.transfer
        guard transfer.state == .completed, let fileId = transfer.remoteFileId, let size = transfer.fileSize,
            let revisionId = transfer.remoteRevisionId,
            // A small file that one request sent leaves nothing: that is not worth a change of threads.
            transfer.sessionId != nil || RevisionSketch.isWorthIt(size, isChange: transfer.fileId != nil),
            let sketch = try? await reader.sketched(as: revisionId, size: size)
        else { return }
        // More is sent the next time where that cannot be written.
        try? await services.store.keep(sketch, of: fileId)
    }

    // MARK: - Records

    private func save() async {
        // What one request sends is begun again from nothing; only its end is worth a write. A second session is asked for under
        // an id of its own, though, which withdrawing this has to know.
        if machine.transfer.state == .preparing, machine.transfer.sessionId == nil, machine.transfer.generation == 0 {
            return
        }
        var transfer = machine.transfer
        transfer.updatedAt = services.clock.now()
        saver.save(.upload(transfer))
    }

    private func begin(
        _ work: @escaping @Sendable () async throws -> UploadMachine.Event?,
        orElse refusal: @escaping @Sendable (TransferFailure) -> UploadMachine.Event
    ) {
        begin({ _ in try await work() }, orElse: refusal)
    }

    /// - Parameter work: gets a way to tell of what happens on the way.
    private func begin(
        _ work:
            @escaping @Sendable (@escaping @Sendable (UploadMachine.Event) -> Void) async throws ->
            UploadMachine.Event?,
        orElse refusal: @escaping @Sendable (TransferFailure) -> UploadMachine.Event
    ) {
        tasks.begin { tell in
            do {
                return try await work(tell)
            } catch let failure as TransferFailure {
                return refusal(failure)
            } catch is DamagedSource {
                return .sourceDamaged
            } catch is CancellationError {
                return nil
            } catch {
                return refusal(TransferFailure(.unexpected, "An unexpected error occurred: \(error)."))
            }
        }
    }
}
