import BothyContent
import BothyContract

/// What an upload does next. State and event in, state and actions out; it touches nothing.
///
/// `queued → preparing → transferring ⇄ paused(reason) → verifying → completed | failed | canceled`
///
/// One ordered pass reads the file, hashes it whole, and cuts it into blocks by its content; each is named to the server, and what that
/// lacks is sent, 2 to 4 bodies at a time, finished in any order. A file that fits one request is sent by one. A session that began with
/// fixed chunks keeps them; where the drive's files are cut in a way that this release does not know, one begins so. Where they are
/// cut otherwise than was known here, the file is cut again.
package struct UploadMachine: Sendable {
    package enum Event: Sendable {
        case begin
        /// - Parameters:
        ///   - hasBasis: whether it is known what the drive has of the file.
        ///   - cuts: what the drive's files are cut by, as it was told last; nil where this release does not know it.
        case sourceLooked(FileFacts, hasBasis: Bool = false, cuts: BlockParameters? = .newest)
        case sourceFailed(TransferFailure)
        /// It was read, and is not what it must be; nothing of it was sent.
        case sourceDamaged
        /// - Parameters:
        ///   - hash: nil where the drive is not known to have it.
        ///   - hasBasis: whether it is known by now what the drive has of the file.
        case sourceHashed(ContentHash?, hasBasis: Bool = false)
        case sessionTold(UploadResponse)
        case sessionRefused(TransferFailure)
        /// - Parameter hasBasis: whether it is known, by what it begins with, what the drive has of the file.
        case segmentRead(UploadSegment, hasBasis: Bool = false)
        case named(ExtendPlanResponse)
        case nameRefused(TransferFailure)
        /// - Parameter carried: bytes that went for it; nil for those of the piece.
        case sent(UploadPiece, UploadResponse, status: Int, seconds: Double, carried: Int64? = nil)
        case sendRefused(UploadPiece, TransferFailure)
        /// - Parameter piece: nil where one request sends all.
        case handed(UploadPiece?, Int64)
        case wholeSent(UploadedFile, ContentHash, status: Int)
        case wholeRefused(TransferFailure)
        case finalized(FinalizeResponse)
        case finalizeRefused(TransferFailure)
        case backedOff
        case asked(TransferWish)
    }

    package enum Action: Equatable, Sendable {
        /// Answered by `sourceLooked` or `sourceFailed`.
        case lookAtSource
        /// Reads all of it for its hash. Where the drive is known to have that, it is told by `sourceHashed`, and a session is started with
        /// it, as `startSession` does; else answered by `sourceHashed` with nil, or `sourceFailed`.
        case hashAndStart(UploadRequest)
        case startSession(UploadRequest)
        case askSession(String)
        /// Reads the next segment; its bytes are kept until they are forgotten.
        case readOn
        /// Adds blocks to the session's plan, and asks which are there.
        case name(String, ExtendPlanRequest)
        /// Gives up all that is under way, and begins the ordered pass at the first byte again.
        case rewind
        case send(UploadPiece)
        /// Lets go of a segment's bytes.
        case forget(Int)
        case sendWhole(UploadRequest)
        case finalize(String, FinalizeRequest)
        case cancelSession(String)
        /// Waits as the failure deserves, then `backedOff`.
        case backOff(TransferFailure, failures: Int)
        /// Writes down what the drive's files are cut by.
        case note(DriveParameters)
        /// Writes the record.
        case save
        /// Nothing more comes: what is under way is given up.
        case rest
    }

    package internal(set) var transfer: UploadTransfer

    /// What this process has under way; nothing of it outlives the process.
    var run = Run()

    struct Run: Sendable {
        enum Phase: Sendable {
            case looking, hashing, starting, asking, sending, whole, rechecking, finalizing
        }

        var phase = Phase.looking
        var backingOff = false
        /// Nil until a session is known.
        var pass: UploadPass?
        /// Whether it is known what the drive has of the file.
        var hasBasis = false
        /// Of all of the file, where the drive is known to have it under another name.
        var twin: ContentHash?
        /// What the drive's files are cut by, as it was told last; nil where this release does not know it.
        var cuts: BlockParameters? = .newest
        /// The server takes no names of ours.
        var namesNothing = false
        /// By the first block of a body.
        var corruptions = [Int: Int]()
        var window = smallestWindow
        var sentInARow = 0
        /// Bytes that connections have taken of what is being sent; of all of it by no piece.
        var handed = [UploadPiece?: Int64]()
        /// Failures in a row of any kind, for the backing off.
        var stumbles = 0
        /// Whether the server has acknowledged anything to this process yet.
        var acknowledged = false
        /// How often the server answered since it last took a chunk: more than a few, and the way there cuts chunks off.
        var answersSinceChunk = 0
        /// Sessions begun in a row without one more chunk acknowledged.
        var freshSessions = 0
        /// Sessions begun in all, after the first.
        var laterSessions = 0
        /// Sessions that others took the place of; they go when this upload is done.
        var leftSessions = [String]()
        var integrityRestarts = 0
    }

    static let smallestWindow = 2
    static let largestWindow = 4
    /// A chunk that takes longer than this, in seconds, is not helped by one more beside it.
    static let slowChunk = 4.0
    /// Sent so often with a wrong hash at the other end, a chunk is made smaller.
    static let corruptionsBeforeShrinking = 3
    /// Cut off so often while the server answers all else, chunks are made smaller.
    static let cutsBeforeShrinking = 6
    /// Bytes of a file that goes in chunks where it does not get through in one request.
    static let leastWorthChunks: Int64 = 1 << 20
    static let mostFreshSessions = 5
    static let mostLaterSessions = 30

    package init(_ transfer: UploadTransfer) { self.transfer = transfer }

    package mutating func handle(_ event: Event) -> [Action] {
        guard !transfer.state.isOver else { return [] }
        settle(event)
        switch event {
        case .begin: return begin()
        case .asked(let wish): return grant(wish)
        case .sourceFailed(let failure): return end(with: failure)
        case .sourceDamaged: return end(with: sourceDamaged)
        case .sourceLooked(let facts, let hasBasis, let cuts):
            if run.phase == .rechecking { return recheck(facts) }
            run.cuts = cuts
            return pin(facts, hasBasis: hasBasis)
        case .sourceHashed(let hash, let hasBasis): return hashed(hash, hasBasis: hasBasis)
        case .sessionTold(let answer): return note(answer.blockParameters) + heard(answer)
        case .sessionRefused(let failure): return note(failure.problem?.blockParameters) + sessionRefused(failure)
        case .segmentRead(let segment, let hasBasis): return segmentRead(segment, hasBasis: hasBasis)
        case .named(let answer): return named(answer)
        case .nameRefused(let failure): return note(failure.problem?.blockParameters) + nameRefused(failure)
        case .sent(let piece, let answer, let status, let seconds, let carried):
            transfer.lastServerStatus = status
            return sent(piece, answer, seconds: seconds, carried: carried ?? piece.size)
        case .sendRefused(let piece, let failure): return sendRefused(piece, failure)
        case .handed(let piece, let bytes):
            run.handed[piece] = min(bytes, piece?.size ?? transfer.fileSize ?? 0)
            return []
        case .wholeSent(let file, let hash, let status):
            transfer.lastServerStatus = status
            return wholeSent(file, hash)
        case .wholeRefused(let failure): return wholeRefused(failure)
        case .finalized(let answer): return finalized(answer)
        case .finalizeRefused(let failure): return finalizeRefused(failure)
        case .backedOff: return goOn()
        }
    }

    /// What was answered is not on its way any more.
    private mutating func settle(_ event: Event) {
        switch event {
        case .sent(let piece, _, _, _, _), .sendRefused(let piece, _): run.handed[piece] = nil
        case .wholeSent, .wholeRefused: run.handed = [:]
        default: break
        }
    }

    /// Bytes that were handed to connections and that the server has not acknowledged yet, besides those that are shown already.
    package var bytesOnTheWay: Int64 {
        guard transfer.state == .transferring else { return 0 }
        let pieces: [UploadPiece?] = run.phase == .whole ? [nil] : (run.pass?.sending ?? []).map { $0 }
        let handed = pieces.reduce(0) { $0 + (run.handed[$1] ?? 0) }
        return max(0, (run.pass?.receivedBytes ?? 0) + handed - transfer.shownBytes)
    }

    /// How the reader cuts what is named.
    package var cuts: BlockParameters { run.cuts ?? .newest }

    private func note(_ version: Int?) -> [Action] { version.map { [.note(DriveParameters(version: $0))] } ?? [] }

    // MARK: - Beginning

    private mutating func begin() -> [Action] {
        run = Run()
        // Opening it to send it whole checks that it is what was pinned, and says so if not.
        if transfer.source != nil, transfer.expectedHash == nil, fitsOneRequest, !mayHaveBasis { return sendWhole() }
        transfer.state = .preparing
        return [.lookAtSource]
    }

    private mutating func pin(_ facts: FileFacts, hasBasis: Bool) -> [Action] {
        guard facts.kind == .file else {
            return end(with: TransferFailure(.sourceNotAFile, "“\(transfer.localPath)” is not a file."))
        }
        if let pinned = transfer.source, pinned != SourcePin(facts) {
            // Where it is known what it must hold, another file may hold that: the home was moved to another disk.
            guard transfer.expectedHash != nil, pinned.size == facts.size else { return end(with: sourceChanged) }
            transfer.pin(facts)
        }
        guard facts.size <= UploadLimits.maximumFileSize else {
            return end(
                with: TransferFailure(
                    .fileTooLarge, "“\(transfer.localPath)” has \(facts.size) bytes; 10 GiB is the most."))
        }
        if transfer.source == nil { transfer.pin(facts) }
        // There is no last chunk to tell the hash of nothing.
        if facts.size == 0 { transfer.fileHashSha256 = SHA256Hasher().finish() }
        note(hasBasis: hasBasis)
        if fitsOneRequest, !mayHaveTwin { return sendWhole() }
        if let session = transfer.sessionId { return ask(session) }
        guard mayHaveTwin else { return startSession() }
        run.phase = .hashing
        return [.hashAndStart(sessionRequest())]
    }

    /// To be read for its hash costs more than a file that goes in company.
    private var mayHaveTwin: Bool {
        !transfer.twins.isEmpty && transfer.fileSize ?? 0 > UploadLimits.batchContent
    }

    /// What the drive has is there as soon as the session begins.
    private mutating func hashed(_ hash: ContentHash?, hasBasis: Bool) -> [Action] {
        guard run.phase == .hashing else { return [] }
        guard let hash else {
            note(hasBasis: hasBasis)
            return fitsOneRequest ? sendWhole() : startSession()
        }
        run.phase = .starting
        run.twin = hash
        transfer.fileHashSha256 = hash
        return []
    }

    private mutating func note(hasBasis: Bool) {
        run.hasBasis = run.hasBasis || hasBasis
        if hasBasis { transfer.chunked = true }
    }

    private var fitsOneRequest: Bool {
        guard let size = transfer.fileSize else { return false }
        return size <= UploadLimits.simpleUploadLimit && !transfer.chunked && transfer.sessionId == nil
    }

    /// What is known of the version before may make it cost less than one request does.
    private var mayHaveBasis: Bool {
        transfer.fileId != nil && RevisionSketch.isWorthIt(transfer.fileSize ?? 0, isChange: true)
    }

    var sourceChanged: TransferFailure {
        TransferFailure(.sourceChanged, "“\(transfer.localPath)” changed while it was being sent.")
    }

    var sourceDamaged: TransferFailure {
        TransferFailure(
            .sourceDamaged, "“\(transfer.localPath)” is damaged, so it was not uploaded as “\(transfer.name)”.")
    }

    // MARK: - One request

    mutating func sendWhole() -> [Action] {
        run.phase = .whole
        transfer.state = .transferring
        return [.sendWhole(request(planned: false))]
    }

    private mutating func wholeSent(_ file: UploadedFile, _ hash: ContentHash) -> [Action] {
        transfer.fileHashSha256 = hash
        // An empty file need not have a checksum.
        guard file.checksum == hash || file.checksum == nil && transfer.fileSize == 0 else {
            return wholeRefused(
                TransferFailure(
                    .integrityMismatch, "The server's content of “\(transfer.name)” does not match what was sent."))
        }
        transfer.sentBytes = transfer.fileSize ?? 0
        return complete(fileId: file.id, revisionId: file.headRevisionId)
    }

    private mutating func wholeRefused(_ failure: TransferFailure) -> [Action] {
        note(failure, chunk: 0)
        switch failure.code {
        case .proxyLimit:
            transfer.chunked = true
            return shrink(failure)
        case .integrityMismatch where (transfer.attemptsPerChunk[0] ?? 0) < Self.corruptionsBeforeShrinking:
            return [.sendWhole(request(planned: false))]
        case _ where isCutAgainAndAgain(failure, chunk: 0) && (transfer.fileSize ?? 0) > Self.leastWorthChunks:
            transfer.chunked = true
            return shrink(failure)
        default: return retryOrEnd(failure)
        }
    }

    // MARK: - Asking

    private mutating func grant(_ wish: TransferWish) -> [Action] {
        transfer.grant(wish)
        let sessions = wish == .cancel ? run.leftSessions + [transfer.sessionId].compactMap(\.self) : []
        return sessions.map { .cancelSession($0) } + [.save, .rest]
    }

    // MARK: - Ending

    mutating func complete(fileId: String, revisionId: String?) -> [Action] {
        transfer.complete(bytes: transfer.fileSize ?? 0)
        transfer.remoteFileId = fileId
        transfer.remoteRevisionId = revisionId
        transfer.lastByteOffset = transfer.shownBytes
        return run.leftSessions.map { .cancelSession($0) } + [.save, .rest]
    }

    mutating func end(with failure: TransferFailure) -> [Action] {
        transfer.end(with: failure)
        return [.save, .rest]
    }

    mutating func retryOrEnd(_ failure: TransferFailure) -> [Action] {
        guard transfer.isWorthAnotherTry(after: failure) else { return end(with: failure) }
        run.stumbles += 1
        run.window = Self.smallestWindow
        run.sentInARow = 0
        transfer.wait(after: failure)
        guard !run.backingOff else { return [.save] }
        run.backingOff = true
        return [.save, .backOff(failure, failures: run.stumbles)]
    }

    mutating func note(_ failure: TransferFailure, chunk: Int) {
        transfer.lastServerStatus = failure.status ?? transfer.lastServerStatus
        transfer.attemptsPerChunk[chunk, default: 0] += 1
    }

    // MARK: - Going on

    private mutating func goOn() -> [Action] {
        run.backingOff = false
        transfer.state = .transferring
        switch run.phase {
        case .looking, .hashing: return begin()
        case .whole: return sendWhole()
        case .starting: return startSession()
        case .asking, .sending:
            // A lost answer may have been a yes: asking costs less than sending again.
            guard let session = transfer.sessionId else { return startSession() }
            return ask(session)
        case .rechecking, .finalizing: return verify()
        }
    }

    func request(planned: Bool) -> UploadRequest {
        UploadRequest(
            requestId: transfer.requestId, name: transfer.name, mimeType: transfer.mimeType,
            parentId: transfer.parentId, size: transfer.fileSize, fileId: transfer.fileId,
            baseRevisionId: transfer.baseRevisionId, fileHashSha256: planned ? run.twin : transfer.fileHashSha256,
            modifiedAt: transfer.source?.modifiedAt, executable: transfer.executable, conflict: transfer.conflict,
            plan: planned ? plan : nil, finalize: planned ? .explicit : nil)
    }

    private var plan: ChunkPlan {
        guard transfer.plan == .open else { return .fixed(chunkSize: transfer.chunkSize) }
        return .open(parameters: run.cuts?.version)
    }
}
