import BothyContent
import BothyContract

/// The part of an upload that goes block by block over a session.
extension UploadMachine {
    // MARK: - The session

    mutating func startSession() -> [Action] {
        run.phase = .starting
        return [.startSession(sessionRequest())]
    }

    mutating func sessionRequest() -> UploadRequest {
        transfer.state = .preparing
        transfer.plan = run.namesNothing || run.cuts == nil ? .fixed : .open
        return request(planned: true)
    }

    mutating func ask(_ session: String) -> [Action] {
        run.phase = .asking
        return [.askSession(session)]
    }

    mutating func heard(_ answer: UploadResponse) -> [Action] {
        guard run.phase == .starting || run.phase == .asking else { return [] }
        guard isPossible(answer) else { return startAfresh(because: impossible) }
        transfer.sessionId = answer.uploadId
        transfer.sessionExpiresAt = answer.uploadExpiresAt
        if let file = answer.file { return finishedBefore(file) }
        if cutsAnew(for: answer) { return startAfresh(because: cutOtherwise) }
        // The drive has lost it since: the file is read once more, as it goes up.
        let rewound: [Action] = run.twin == nil ? [] : [.rewind]
        run.twin = nil
        let forgotten = reconcile(answer)
        run.answersSinceChunk += 1
        run.phase = .sending
        transfer.state = .transferring
        transfer.lastError = nil
        return rewound + [.save] + forgotten + pump()
    }

    /// Blocks that are cut in another way than the drive's would be shared with nobody. A session of fixed chunks that was begun before
    /// keeps them.
    private mutating func cutsAnew(for answer: UploadResponse) -> Bool {
        let isNews = learn(answer.blockParameters)
        guard !run.namesNothing else { return false }
        return transfer.plan == .open ? isNews || run.cuts == nil : isNews && run.phase == .starting
    }

    /// - Parameter version: of what the drive's files are cut by; nil where nothing was said.
    /// - Returns: whether that is another one than was known.
    private mutating func learn(_ version: Int?) -> Bool {
        guard let version, version != run.cuts?.version else { return false }
        let before = run.cuts
        run.cuts = BlockParameters(version: version)
        return run.cuts != before
    }

    /// Only a server that says something else each time makes this an end.
    private var cutOtherwise: TransferFailure {
        TransferFailure(.answerInvalid, "The server splits files in another way than it announced.")
    }

    mutating func sessionRefused(_ failure: TransferFailure) -> [Action] {
        transfer.lastServerStatus = failure.status ?? transfer.lastServerStatus
        if run.phase == .asking, failure.code == .sessionExpired || failure.code == .notFound {
            return startAfresh(because: failure)
        }
        // Its answer was lost, and the program ended: the same start says something else by now.
        if run.phase == .starting, failure.problem?.code == .idempotencyMismatch {
            return startAfresh(because: failure)
        }
        // The server cuts in other ways by now, and takes no names of ours: fixed chunks it takes from everybody.
        if run.phase == .starting, failure.problem?.code == .parametersUnknown, transfer.plan == .open {
            run.namesNothing = true
            transfer.lastError = failure
            return newSession()
        }
        if failure.problem?.code == .parametersDiffer { return cutAgain(failure) }
        return retryOrEnd(failure)
    }

    /// The drive's files are cut in another way by now, and the refusal says by which.
    private mutating func cutAgain(_ failure: TransferFailure) -> [Action] {
        _ = learn(failure.problem?.blockParameters)
        return startAfresh(because: failure)
    }

    private func isPossible(_ answer: UploadResponse) -> Bool {
        let isOwn = transfer.sessionId == nil || run.phase == .starting || transfer.sessionId == answer.uploadId
        // An open plan may have grown since the answer was made, or have been longer than this process has read.
        let fits =
            transfer.plan == .open
            ? (0...UploadLimits.maximumChunks).contains(answer.totalChunks)
            : answer.totalChunks == transfer.grid?.total && answer.chunkSize == transfer.chunkSize
        return isOwn && fits && (0...answer.totalChunks).contains(answer.chunksProcessed)
            && answer.receivedChunks.allSatisfy { $0.last < answer.totalChunks }
    }

    private var impossible: TransferFailure {
        TransferFailure(.answerInvalid, "The server's answer about “\(transfer.name)” is not valid.")
    }

    /// Answers may be older than what was acknowledged since, so they only add to it.
    private mutating func reconcile(_ answer: UploadResponse) -> [Action] {
        var pass =
            run.pass
            ?? UploadPass(
                size: transfer.fileSize ?? 0, longestBody: transfer.chunkSize, isOpen: transfer.plan == .open,
                namesLate: run.hasBasis)
        let forgotten = pass.reconcile(answer.receivedChunks)
        run.pass = pass
        showProgress()
        return forgotten.map { .forget($0) }
    }

    /// The finalize was answered, and the answer lost.
    private mutating func finishedBefore(_ file: File) -> [Action] {
        guard let hash = transfer.fileHashSha256, file.checksum == hash else {
            return startAfresh(because: impossible)
        }
        return complete(fileId: file.id, revisionId: file.headRevisionId)
    }

    // MARK: - Reading, naming and sending

    mutating func pump() -> [Action] {
        guard run.phase == .sending, !run.backingOff, var pass = run.pass, let session = transfer.sessionId else {
            return []
        }
        var actions = [Action]()
        while let piece = pass.beginsSending(window: run.window) { actions.append(.send(piece)) }
        if let names = pass.beginsNaming(window: run.window) { actions.append(.name(session, names)) }
        if pass.beginsReading(window: run.window) { actions.append(.readOn) }
        run.pass = pass
        if pass.isOver, transfer.fileHashSha256 != nil { actions += verify() }
        return actions
    }

    mutating func segmentRead(_ segment: UploadSegment, hasBasis: Bool) -> [Action] {
        // What was sent of it makes no file without its end.
        if let hash = segment.wholeHash, let expected = transfer.expectedHash, hash != expected {
            return end(with: sourceDamaged)
        }
        if hasBasis, !run.hasBasis {
            run.hasBasis = true
            run.pass?.nameLate()
        }
        guard let forgotten = run.pass?.read(segment) else { return [] }
        let shown = transfer.shownBytes
        transfer.fileHashSha256 = segment.wholeHash ?? transfer.fileHashSha256
        showProgress()
        // What was shown is never taken back, over a restart neither.
        let isNews = transfer.shownBytes > shown || segment.wholeHash != nil
        return forgotten.map { .forget($0) } + (isNews ? [.save] : []) + pump()
    }

    mutating func named(_ answer: ExtendPlanResponse) -> [Action] {
        guard let pass = run.pass, !pass.naming.isEmpty else { return [] }
        guard pass.isPossible(answer) else { return startAfresh(because: impossible) }
        let forgotten = run.pass?.named(answer) ?? []
        transfer.failures = 0
        run.stumbles = 0
        showProgress()
        return forgotten.map { .forget($0) } + [.save] + pump()
    }

    mutating func nameRefused(_ failure: TransferFailure) -> [Action] {
        guard run.pass?.naming.isEmpty == false else { return [] }
        transfer.lastServerStatus = failure.status ?? transfer.lastServerStatus
        run.pass?.namingFailed()
        switch failure.problem?.code.known {
        // Another file than was named, or the same one cut in another way.
        case .planConflict, .planNotOpen, .planInvalid: return startAfresh(because: failure)
        case .parametersDiffer: return cutAgain(failure)
        case .uploadFinished: return transfer.sessionId.map { ask($0) } ?? startSession()
        default: break
        }
        switch failure.code {
        case .proxyLimit: return shrink(failure)
        case .sessionExpired, .notFound: return sessionGone(failure)
        default: return retryOrEnd(failure)
        }
    }

    mutating func sent(_ piece: UploadPiece, _ answer: UploadResponse, seconds: Double, carried: Int64) -> [Action] {
        guard let forgotten = run.pass?.sent(piece) else { return [] }
        guard isPossible(answer) else { return startAfresh(because: impossible) }
        transfer.sentBytes += carried
        transfer.sessionExpiresAt = answer.uploadExpiresAt
        transfer.failures = 0
        run.acknowledged = true
        run.answersSinceChunk = 0
        run.freshSessions = 0
        run.stumbles = 0
        widen(after: seconds)
        showProgress()
        return forgotten.map { .forget($0) } + [.save] + pump()
    }

    mutating func sendRefused(_ piece: UploadPiece, _ failure: TransferFailure) -> [Action] {
        guard run.pass?.notSent(piece, again: true) == true else { return [] }
        note(failure, chunk: piece.blocks.lowerBound)
        switch failure.code {
        case .proxyLimit: return shrink(failure)
        case .sessionExpired, .notFound: return sessionGone(failure)
        case .integrityMismatch: return corrupted(piece, failure)
        case .refused where Self.garbled.contains(failure.status ?? 0): return corrupted(piece, failure)
        case .offline where run.answersSinceChunk > Self.cutsBeforeShrinking && canShrink: return shrink(failure)
        case _ where isCutAgainAndAgain(failure, chunk: piece.blocks.lowerBound) && canShrink: return shrink(failure)
        default: return retryOrEnd(failure)
        }
    }

    /// Whether the way there cuts a body that is so long, while other requests are answered: it was begun more than a few times,
    /// perhaps by as many runners.
    func isCutAgainAndAgain(_ failure: TransferFailure, chunk: Int) -> Bool {
        let isCut = failure.code == .offline || Self.timedOut.contains(failure.status ?? 0)
        return isCut && (transfer.attemptsPerChunk[chunk] ?? 0) > Self.cutsBeforeShrinking
    }

    /// What something on the way says of a request that takes longer than it waits.
    private static let timedOut: Set<Int> = [408, 504]

    /// A session is given up on its own word; without a problem document the request may have lost its way.
    private mutating func sessionGone(_ failure: TransferFailure) -> [Action] {
        guard failure.problem == nil, let session = transfer.sessionId,
            run.answersSinceChunk <= Self.cutsBeforeShrinking
        else { return startAfresh(because: failure) }
        return ask(session)
    }

    /// What a body that is as it should be gets only when it did not arrive so.
    private static let garbled: Set<Int> = [400, 416, 422]

    private mutating func corrupted(_ piece: UploadPiece, _ failure: TransferFailure) -> [Action] {
        guard failure.problem?.code != .chunkHashConflict else { return startAfresh(because: failure) }
        run.corruptions[piece.blocks.lowerBound, default: 0] += 1
        if run.corruptions[piece.blocks.lowerBound, default: 0] >= Self.corruptionsBeforeShrinking {
            return shrink(failure)
        }
        return [.save] + pump()
    }

    private mutating func widen(after seconds: Double) {
        run.sentInARow += 1
        guard run.sentInARow >= run.window, seconds < Self.slowChunk else { return }
        run.sentInARow = 0
        run.window = min(run.window + 1, Self.largestWindow)
    }

    private mutating func showProgress() {
        guard let pass = run.pass else { return }
        transfer.shownBytes = max(transfer.shownBytes, pass.receivedBytes)
        transfer.lastByteOffset = pass.prefixBytes
        transfer.receivedBlocks = pass.received
    }

    // MARK: - Beginning again

    /// A new session, which finds by their names the blocks that the old one had. Not for ever: without one more acknowledged it ends.
    mutating func startAfresh(because failure: TransferFailure) -> [Action] {
        run.freshSessions += 1
        run.laterSessions += 1
        guard run.freshSessions <= Self.mostFreshSessions, run.laterSessions <= Self.mostLaterSessions else {
            return end(with: failure)
        }
        transfer.lastError = failure
        return newSession()
    }

    /// Half the body, in a new session: blocks may have to be smaller, too.
    mutating func shrink(_ failure: TransferFailure) -> [Action] {
        guard canShrink else { return end(with: failure) }
        transfer.chunkSize = max(UploadLimits.chunkSizes.lowerBound, transfer.chunkSize / 2)
        transfer.lastError = failure
        return newSession()
    }

    private var canShrink: Bool { transfer.chunkSize > UploadLimits.chunkSizes.lowerBound }

    /// The old session goes once the new one has taken its blocks over: what only one session holds goes with it.
    private mutating func newSession() -> [Action] {
        if let old = transfer.sessionId { run.leftSessions.append(old) }
        transfer.sessionId = nil
        transfer.sessionExpiresAt = nil
        transfer.generation += 1
        transfer.receivedBlocks = ChunkSet()
        transfer.attemptsPerChunk = [:]
        transfer.lastByteOffset = 0
        run.pass = nil
        run.corruptions = [:]
        run.acknowledged = false
        run.answersSinceChunk = 0
        run.backingOff = false
        return [.rewind, .save] + startSession()
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
                    .integrityMismatch, "The server's content of “\(transfer.name)” does not match what was sent.")
            )
        }
        return complete(fileId: answer.remoteFileId, revisionId: answer.revision.revisionId)
    }

    mutating func finalizeRefused(_ failure: TransferFailure) -> [Action] {
        transfer.lastServerStatus = failure.status ?? transfer.lastServerStatus
        switch failure.problem?.code.known {
        case .missingChunks: return readAgain(failure)
        case .hashMismatch, .sizeMismatch, .contentCorrupt:
            run.integrityRestarts += 1
            return run.integrityRestarts > 1 ? end(with: failure) : startAfresh(because: failure)
        case .uploadFinished:
            return transfer.sessionId.map { ask($0) } ?? startSession()
        case .uploadExpired, .uploadCanceled, .notFound: return startAfresh(because: failure)
        default: return retryOrEnd(failure)
        }
    }

    /// The server has lost blocks: the file is read once more, and what is missing is sent.
    private mutating func readAgain(_ failure: TransferFailure) -> [Action] {
        run.freshSessions += 1
        guard let session = transfer.sessionId, run.freshSessions <= Self.mostFreshSessions else {
            return startAfresh(because: failure)
        }
        run.pass = nil
        run.acknowledged = false
        transfer.state = .transferring
        return [.rewind, .save] + ask(session)
    }
}
