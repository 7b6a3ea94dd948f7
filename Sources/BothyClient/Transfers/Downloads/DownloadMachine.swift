import BothyContract

/// What a download does next. State and event in, state and actions out; it touches nothing.
///
/// Ranges of one revision are fetched side by side under its validator into a partial file beside the destination,
/// hashed in order as they fill up, and renamed into place once the whole has the hash that the server named.
package struct DownloadMachine: Sendable {
    package enum Event: Sendable {
        case begin
        /// - Parameter comesWhole: whether all of it comes at once, along with others, or is here.
        case lookedUp(RemoteContent, comesWhole: Bool = false)
        case lookUpRefused(TransferFailure)
        /// - Parameter kept: whether the partial file was there as the record has it.
        case prepared(kept: Bool)
        /// What was found here and put into the partial file, in bytes, ascending; nothing where nothing was.
        ///
        /// - Parameter carried: bytes that came over the network for it.
        case reused([Range<Int64>], carried: Int64 = 0)
        /// The destination is what this download should bring: it was promoted before its record could say so.
        case foundInPlace
        /// It came whole, has the hash that the server named, and is in its place.
        ///
        /// - Parameter carried: bytes that came over the network for it.
        case received(carried: Int64)
        /// All of it came, and is not what the server has; nothing was touched.
        case receivedCorrupted
        /// It did not come whole.
        ///
        /// - Parameter hasAddress: whether it is known where it can be fetched by itself.
        case notReceived(hasAddress: Bool)
        /// - Parameter carried: bytes that came over the network for it; nil for as many as it has.
        case chunkArrived(Int, carried: Int64? = nil)
        case rangeDone(ChunkRun)
        /// - Parameter taken: bytes of it that arrived before.
        case rangeRefused(ChunkRun, TransferFailure, taken: Int64)
        /// The whole file's hash, from the partial file's first byte to its last.
        case hashed(ContentHash)
        case promoted
        /// The disk refused: while preparing, writing, hashing or promoting.
        case diskFailed(TransferFailure)
        /// The disk did not keep what was written to the partial file, nobody knows how much of it.
        case writesLost(TransferFailure)
        case backedOff
        case asked(TransferWish)
    }

    package enum Action: Equatable, Sendable {
        case lookUp(fileId: String, revisionId: String?)
        /// Gives up what is under way, checks the destination and the room, and opens the partial file.
        ///
        /// - Parameter again: whether this revision was being fetched before, and may be in its place already.
        case prepare(keeping: Bool, again: Bool)
        /// Takes what comes whole, and puts it in its place in one go: many small files are worth no more steps than that each.
        case receive
        /// Looks for blocks of the revision in what is here, and puts those into the partial file.
        case reuse(fileId: String, revisionId: String)
        case fetch(ChunkRun)
        /// The partial file is whole up to here, in bytes: hash on.
        case hash(upTo: Int64)
        case promote
        /// Gives up all that is under way, and removes the partial file.
        case discard
        case backOff(TransferFailure, failures: Int)
        /// A chunk more is here: write it down when that is worth it.
        case noteProgress
        case save
        case rest
    }

    package internal(set) var transfer: DownloadTransfer
    var run = Run()

    struct Run: Sendable {
        enum Phase: Sendable {
            case lookingUp, receiving, preparing, reusing, fetching, finishing
        }

        var phase = Phase.lookingUp
        var backingOff = false
        var fetching = [Int: ChunkRun]()
        var window = smallestWindow
        var doneInARow = 0
        var stumbles = 0
        /// Answers in a row that could not be.
        var oddities = 0
        var lookUps = 0
        var restarts = 0
        /// Ranges in a row that were cut off within their first chunk.
        var cuts = 0
        /// The chunks are about to be smaller: what arrives now is counted in the old ones.
        var isRegridding = false
        /// Something came that could not be, or was cut off again and again: bytes are asked for as they are, which leave less to go wrong.
        var isPlain = false
        var wholeHash: ContentHash?
    }

    static let smallestWindow = 2
    static let largestWindow = 4
    /// Bytes that one request asks for: enough to make requests cheap, few enough to keep the ranges side by side.
    static let bytesInRange: Int64 = 16 << 20
    /// Answers in a row that cannot be before a person is asked.
    static let mostOddities = 5
    /// Cut off so often within a chunk, chunks are made smaller.
    static let cutsBeforeShrinking = 6
    /// Bytes. A file has so many at least, a large one larger ones, so that its record stays small.
    static let smallestChunk: Int64 = 128 << 10
    static let mostChunks = 16_384
    /// Look-ups in a row without one more chunk.
    static let mostLookUps = 8

    package init(_ transfer: DownloadTransfer) { self.transfer = transfer }

    package mutating func handle(_ event: Event) -> [Action] {
        guard !transfer.state.isOver else { return [] }
        switch event {
        case .begin, .backedOff: return begin(again: event.isBackedOff)
        case .asked(let wish): return grant(wish)
        case .lookedUp(let content, let comesWhole): return lookedUp(content, comesWhole: comesWhole)
        case .lookUpRefused(let failure): return retryOrEnd(failure)
        case .prepared(let kept): return prepared(kept)
        case .reused(let ranges, let carried): return reused(ranges, carried: carried)
        case .chunkArrived(let index, let carried): return arrived(index, carried: carried)
        case .rangeDone(let range): return done(range)
        case .rangeRefused(let range, let failure, let taken): return refused(range, failure, taken: taken)
        case .hashed(let hash):
            run.wholeHash = hash
            return finishIfWhole()
        case .promoted: return complete()
        case .foundInPlace: return run.phase == .preparing ? complete() : []
        case .received(let carried): return received(carried: carried)
        case .receivedCorrupted: return run.phase == .receiving ? corrupted() : []
        case .notReceived(let hasAddress): return notReceived(hasAddress: hasAddress)
        case .diskFailed(let failure): return end(with: failure)
        case .writesLost(let failure):
            forgetProgress()
            return [.discard] + end(with: failure)
        }
    }

    // MARK: - Beginning

    mutating func begin(again: Bool) -> [Action] {
        if again {
            run.backingOff = false
            transfer.state = .transferring
            // After an answer that could not be, what the look-up told may be what is wrong.
            if run.phase == .fetching, run.oddities == 0 { return pump() }
            if run.phase == .receiving { return [.receive] }
        } else {
            run = Run()
            transfer.state = .preparing
        }
        return lookUp()
    }

    /// Always asked anew: the address is signed for an hour, and the head may be another by now.
    mutating func lookUp() -> [Action] {
        run.phase = .lookingUp
        return [.lookUp(fileId: transfer.remoteFileId, revisionId: transfer.followsHead ? nil : transfer.revisionId)]
    }

    mutating func lookedUp(_ content: RemoteContent, comesWhole: Bool) -> [Action] {
        guard run.phase == .lookingUp else { return [] }
        run.lookUps += 1
        guard run.lookUps <= Self.mostLookUps else {
            return end(with: oddity("changes faster than it can be downloaded"))
        }
        guard content.size >= 0, content.size <= UploadLimits.maximumFileSize else {
            return end(with: oddity("has an invalid size"))
        }
        let same =
            transfer.revisionId == content.revisionId && transfer.expectedHash == content.checksum
            && transfer.expectedSize == content.size
        let isNew = transfer.expectedSize == nil
        if !same { adopt(content) }
        transfer.modifiedAt = content.modifiedAt
        transfer.executable = content.executable
        if comesWhole, isNew, content.checksum != nil, transfer.grid?.total == 1, !isRemembered {
            run.phase = .receiving
            transfer.state = .transferring
            return [.save, .receive]
        }
        return (same || isNew ? [] : [.discard]) + prepare(again: same)
    }

    /// Whether what is needed to send it as what changed is kept of it as it is written.
    var isRemembered: Bool {
        RevisionSketch.isWorthIt(transfer.expectedSize ?? 0, isChange: transfer.basisPath != nil)
    }

    /// - Parameter again: whether this revision was being fetched before.
    mutating func prepare(again: Bool) -> [Action] {
        run.phase = .preparing
        transfer.state = .preparing
        return [.save, .prepare(keeping: !transfer.downloadedChunks.isEmpty, again: again)]
    }

    mutating func notReceived(hasAddress: Bool) -> [Action] {
        guard run.phase == .receiving else { return [] }
        return hasAddress ? prepare(again: false) : lookUp()
    }

    mutating func received(carried: Int64) -> [Action] {
        guard run.phase == .receiving else { return [] }
        transfer.fetchedBytes += carried
        return complete()
    }

    /// A new revision: what is here of the old one is other bytes.
    mutating func adopt(_ content: RemoteContent) {
        transfer.revisionId = content.revisionId
        transfer.expectedHash = content.checksum
        transfer.expectedSize = content.size
        transfer.etag = content.checksum.map { "\"\($0.hex)\"" }
        transfer.chunkSize = DownloadTransfer.defaultChunkSize
        forgetProgress()
    }

    mutating func prepared(_ kept: Bool) -> [Action] {
        guard run.phase == .preparing else { return [] }
        if !kept {
            // How often its parts were cut off says something of the way here.
            let attempts = transfer.attemptsPerChunk
            forgetProgress()
            transfer.attemptsPerChunk = attempts
        }
        run.fetching = [:]
        run.backingOff = false
        run.isRegridding = false
        transfer.state = .transferring
        if let revision = transfer.revisionId, isWorthReusing {
            run.phase = .reusing
            return [.save, .reuse(fileId: transfer.remoteFileId, revisionId: revision)]
        }
        run.phase = .fetching
        return [.save, hashAction] + pump()
    }

    mutating func forgetProgress() {
        transfer.downloadedChunks = ChunkProgress(total: transfer.grid?.total ?? 0)
        transfer.attemptsPerChunk = [:]
        transfer.lastByteOffset = 0
        run.wholeHash = nil
    }

    // MARK: - Finishing

    mutating func finishIfWhole() -> [Action] {
        guard run.phase == .fetching, transfer.downloadedChunks.isComplete, run.fetching.isEmpty else { return [] }
        transfer.state = .verifying
        guard let hash = run.wholeHash else { return [] }
        if let expected = transfer.expectedHash, expected != hash { return corrupted() }
        transfer.expectedHash = hash
        run.phase = .finishing
        return [.promote]
    }

    /// Bytes went wrong on the way or on this disk. Once, everything is fetched again by itself.
    mutating func corrupted() -> [Action] {
        run.restarts += 1
        run.isPlain = true
        forgetProgress()
        let failure = TransferFailure(
            .integrityMismatch, "The downloaded content of “\(transfer.name)” does not match the server's.")
        transfer.lastError = failure
        guard run.restarts < 2 else { return [.discard] + end(with: failure) }
        return [.discard, .save] + lookUp()
    }

    mutating func complete() -> [Action] {
        transfer.complete(bytes: transfer.expectedSize ?? 0)
        return [.save, .rest]
    }

    mutating func grant(_ wish: TransferWish) -> [Action] {
        transfer.grant(wish)
        return (wish == .cancel ? [.discard] : []) + [.save, .rest]
    }

    mutating func end(with failure: TransferFailure) -> [Action] {
        transfer.end(with: failure)
        return [.save, .rest]
    }

    mutating func retryOrEnd(_ failure: TransferFailure) -> [Action] {
        transfer.isWorthAnotherTry(after: failure) ? backOff(failure) : end(with: failure)
    }

    mutating func backOff(_ failure: TransferFailure) -> [Action] {
        run.stumbles += 1
        transfer.wait(after: failure)
        guard !run.backingOff else { return [.save] }
        run.backingOff = true
        return [.save, .backOff(failure, failures: run.stumbles)]
    }

    func oddity(_ what: String) -> TransferFailure {
        TransferFailure(.answerInvalid, "“\(transfer.name)” \(what).")
    }
}

extension DownloadMachine.Event {
    fileprivate var isBackedOff: Bool { if case .backedOff = self { true } else { false } }
}
