import BothyContract

/// The part of an upload that goes chunk by chunk over a session.
extension UploadMachine {
    // MARK: - The session

    mutating func startSession() -> [Action] {
        run.phase = .starting
        transfer.state = .preparing
        return [.startSession(request(planned: true))]
    }

    mutating func ask(_ session: String) -> [Action] {
        run.phase = .asking
        return [.askSession(session)]
    }

    mutating func heard(_ answer: UploadResponse) -> [Action] {
        guard run.phase == .starting || run.phase == .asking else { return [] }
        if run.phase == .starting { adopt(answer) }
        guard isPossible(answer) else { return startAfresh(because: impossible) }
        transfer.sessionId = answer.uploadId
        transfer.sessionExpiresAt = answer.uploadExpiresAt
        if let file = answer.file { return finishedBefore(file) }
        reconcile(answer)
        run.answersSinceChunk += 1
        run.phase = .sending
        transfer.state = .transferring
        transfer.lastError = nil
        // Nothing is left to hash when an earlier process read the file to its end.
        if transfer.fileHashSha256 != nil { run.passed = transfer.totalChunks }
        return [.save] + dropReceived() + pump()
    }

    mutating func sessionRefused(_ failure: TransferFailure) -> [Action] {
        transfer.lastServerStatus = failure.status ?? transfer.lastServerStatus
        if run.phase == .asking, failure.code == .sessionExpired || failure.code == .notFound {
            return startAfresh(because: failure)
        }
        return retryOrEnd(failure)
    }

    /// A server may cut otherwise than asked, within what is allowed.
    private mutating func adopt(_ answer: UploadResponse) {
        guard answer.chunkSize != transfer.chunkSize, UploadLimits.chunkSizes.contains(answer.chunkSize) else { return }
        transfer.chunkSize = answer.chunkSize
        transfer.uploadedChunks = ChunkProgress(total: transfer.totalChunks)
        run.passed = 0
    }

    private func isPossible(_ answer: UploadResponse) -> Bool {
        answer.totalChunks == transfer.totalChunks && answer.chunkSize == transfer.chunkSize
            && (0...answer.totalChunks).contains(answer.chunksProcessed)
            && answer.receivedChunks.allSatisfy { $0.last < answer.totalChunks }
            && (transfer.sessionId == nil || run.phase == .starting || transfer.sessionId == answer.uploadId)
    }

    private var impossible: TransferFailure {
        TransferFailure(.answerInvalid, "The server says of “\(transfer.name)” what cannot be.")
    }

    /// The first word of a session in a process is the truth; later ones may be older than what was acknowledged since.
    private mutating func reconcile(_ answer: UploadResponse) {
        if !run.acknowledged { transfer.uploadedChunks = ChunkProgress(total: transfer.totalChunks) }
        transfer.uploadedChunks.insert(answer.receivedChunks)
        showProgress()
    }

    private mutating func dropReceived() -> [Action] {
        let received = run.ready.filter { transfer.uploadedChunks.contains($0) }
        run.ready.removeAll { transfer.uploadedChunks.contains($0) }
        return received.map { .forget($0) }
    }

    /// The finalize was answered, and the answer lost.
    private mutating func finishedBefore(_ file: File) -> [Action] {
        guard let hash = transfer.fileHashSha256, file.checksum == hash else {
            return startAfresh(because: impossible)
        }
        return complete(fileId: file.id, revisionId: file.headRevisionId)
    }

    // MARK: - Reading and sending

    mutating func pump() -> [Action] {
        guard run.phase == .sending, !run.backingOff else { return [] }
        var actions = [Action]()
        while run.sending.count < run.window, !run.ready.isEmpty {
            let index = run.ready.removeFirst()
            run.sending.insert(index)
            actions.append(.send(index))
        }
        if run.reading == nil, run.ready.count < Self.readAhead, let index = nextToRead {
            run.reading = index
            actions.append(.read(index, keeping: !transfer.uploadedChunks.contains(index)))
        }
        let settled = run.reading == nil && run.ready.isEmpty && run.sending.isEmpty
        if settled, transfer.uploadedChunks.isComplete, transfer.fileHashSha256 != nil { actions += verify() }
        return actions
    }

    /// The ordered pass first; then what the server turned out to lack.
    private var nextToRead: Int? {
        if run.passed < transfer.totalChunks { return run.passed }
        var index = transfer.uploadedChunks.firstMissing()
        while let candidate = index, run.sending.contains(candidate) || run.ready.contains(candidate) {
            index = transfer.uploadedChunks.firstMissing(from: candidate + 1)
        }
        return index
    }

    mutating func chunkRead(_ index: Int, _ wholeHash: ContentHash?) -> [Action] {
        guard run.reading == index else { return [] }
        run.reading = nil
        if run.passed == index { run.passed += 1 }
        var actions = [Action]()
        if let wholeHash {
            transfer.fileHashSha256 = wholeHash
            actions.append(.save)
        }
        if transfer.uploadedChunks.contains(index) {
            actions.append(.forget(index))
        } else {
            run.ready.append(index)
        }
        return actions + pump()
    }

    mutating func chunkSent(_ index: Int, _ answer: UploadResponse, seconds: Double) -> [Action] {
        guard run.sending.remove(index) != nil else { return [] }
        guard isPossible(answer) else { return startAfresh(because: impossible) }
        transfer.uploadedChunks.insert(index)
        transfer.sessionExpiresAt = answer.uploadExpiresAt
        transfer.failures = 0
        run.acknowledged = true
        run.answersSinceChunk = 0
        run.freshSessions = 0
        run.stumbles = 0
        widen(after: seconds)
        showProgress()
        return [.forget(index), .save] + pump()
    }

    mutating func chunkRefused(_ index: Int, _ failure: TransferFailure) -> [Action] {
        guard run.sending.remove(index) != nil else { return [] }
        note(failure, chunk: index)
        switch failure.code {
        case .proxyLimit: return shrink(failure)
        case .sessionExpired, .notFound:
            // A session is given up on its own word; without a problem document the request may have lost its way.
            guard failure.problem == nil, let session = transfer.sessionId,
                run.answersSinceChunk <= Self.cutsBeforeShrinking
            else { return startAfresh(because: failure) }
            run.ready.insert(index, at: 0)
            return ask(session)
        case .integrityMismatch: return corrupted(index, failure)
        case .refused where Self.garbled.contains(failure.status ?? 0): return corrupted(index, failure)
        case .offline where run.answersSinceChunk > Self.cutsBeforeShrinking && canShrink: return shrink(failure)
        default:
            run.ready.insert(index, at: 0)
            return retryOrEnd(failure)
        }
    }

    /// What a chunk that is as it should be gets only when it did not arrive so.
    private static let garbled: Set<Int> = [400, 416, 422]

    private mutating func corrupted(_ index: Int, _ failure: TransferFailure) -> [Action] {
        guard failure.problem?.code != .chunkHashConflict else { return startAfresh(because: failure) }
        run.corruptions[index, default: 0] += 1
        if run.corruptions[index, default: 0] >= Self.corruptionsBeforeShrinking { return shrink(failure) }
        run.ready.insert(index, at: 0)
        return [.save] + pump()
    }

    private mutating func widen(after seconds: Double) {
        run.sentInARow += 1
        guard run.sentInARow >= run.window, seconds < Self.slowChunk else { return }
        run.sentInARow = 0
        run.window = min(run.window + 1, Self.largestWindow)
    }

    private mutating func showProgress() {
        guard let grid = transfer.grid else { return }
        transfer.shownBytes = max(transfer.shownBytes, grid.bytes(in: transfer.uploadedChunks))
        transfer.lastByteOffset = grid.offset(of: transfer.uploadedChunks.prefix)
    }

    // MARK: - Beginning again

    /// A new session; what the old one had is sent again. Not for ever: without one more chunk acknowledged it ends.
    mutating func startAfresh(because failure: TransferFailure) -> [Action] {
        run.freshSessions += 1
        run.laterSessions += 1
        guard run.freshSessions <= Self.mostFreshSessions, run.laterSessions <= Self.mostLaterSessions else {
            return end(with: failure)
        }
        transfer.lastError = failure
        return newSession()
    }

    /// Half the chunk, in a new session.
    mutating func shrink(_ failure: TransferFailure) -> [Action] {
        guard canShrink else { return end(with: failure) }
        transfer.chunkSize = max(UploadLimits.chunkSizes.lowerBound, transfer.chunkSize / 2)
        transfer.lastError = failure
        return newSession()
    }

    private var canShrink: Bool { transfer.chunkSize > UploadLimits.chunkSizes.lowerBound }

    private mutating func newSession() -> [Action] {
        let old = transfer.sessionId
        transfer.sessionId = nil
        transfer.sessionExpiresAt = nil
        transfer.generation += 1
        transfer.uploadedChunks = ChunkProgress(total: transfer.totalChunks)
        transfer.attemptsPerChunk = [:]
        transfer.lastByteOffset = 0
        run.reading = nil
        run.passed = 0
        run.ready = []
        run.sending = []
        run.corruptions = [:]
        run.acknowledged = false
        run.answersSinceChunk = 0
        run.backingOff = false
        return [.rewind] + (old.map { [.cancelSession($0)] } ?? []) + [.save] + startSession()
    }

    // MARK: - Finishing

    mutating func verify() -> [Action] {
        run.phase = .rechecking
        transfer.state = .verifying
        return [.lookAtSource]
    }

    mutating func recheck(_ facts: FileFacts) -> [Action] {
        guard transfer.source == SourcePin(facts) else { return end(with: sourceChanged) }
        guard let session = transfer.sessionId, let hash = transfer.fileHashSha256 else { return startSession() }
        run.phase = .finalizing
        let request = FinalizeRequest(
            size: transfer.fileSize, fileHashSha256: hash, name: transfer.name, parentId: transfer.parentId,
            baseRevisionId: transfer.baseRevisionId, conflict: transfer.conflict)
        return [.save, .finalize(session, request)]
    }

    mutating func finalized(_ answer: FinalizeResponse) -> [Action] {
        guard answer.fileHashSha256 == transfer.fileHashSha256 else {
            run.integrityRestarts += 1
            if run.integrityRestarts == 1, let session = transfer.sessionId { return ask(session) }
            return end(
                with: TransferFailure(
                    .integrityMismatch, "The server has put together other bytes than were sent of “\(transfer.name)”.")
            )
        }
        return complete(fileId: answer.remoteFileId, revisionId: answer.revision.revisionId)
    }

    mutating func finalizeRefused(_ failure: TransferFailure) -> [Action] {
        transfer.lastServerStatus = failure.status ?? transfer.lastServerStatus
        switch failure.problem?.code {
        case .missingChunks: return sendMissing(failure)
        case .hashMismatch, .sizeMismatch, .contentCorrupt:
            run.integrityRestarts += 1
            return run.integrityRestarts > 1 ? end(with: failure) : startAfresh(because: failure)
        case .uploadFinished:
            return transfer.sessionId.map { ask($0) } ?? startSession()
        case .uploadExpired, .uploadCanceled, .notFound: return startAfresh(because: failure)
        default: return retryOrEnd(failure)
        }
    }

    private mutating func sendMissing(_ failure: TransferFailure) -> [Action] {
        run.freshSessions += 1
        guard let missing = failure.problem?.missing, !missing.isEmpty, run.freshSessions <= Self.mostFreshSessions
        else { return startAfresh(because: failure) }
        transfer.uploadedChunks.remove(missing)
        transfer.state = .transferring
        run.phase = .sending
        return [.save] + pump()
    }
}
