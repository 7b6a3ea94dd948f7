import BothyContract

/// What a download does next. State and event in, state and actions out; it touches nothing.
///
/// Ranges of one revision are fetched side by side under its validator into a partial file beside the destination,
/// hashed in order as they fill up, and renamed into place once the whole has the hash that the server named.
package struct DownloadMachine: Sendable {
    package enum Event: Sendable {
        case begin
        case lookedUp(RemoteContent)
        case lookUpRefused(TransferFailure)
        /// - Parameter kept: whether the partial file was there as the record has it.
        case prepared(kept: Bool)
        case chunkArrived(Int)
        case rangeDone(ChunkRun)
        case rangeRefused(ChunkRun, TransferFailure)
        /// The whole file's hash, from the partial file's first byte to its last.
        case hashed(ContentHash)
        case promoted
        /// The disk refused: while preparing, writing, hashing or promoting.
        case diskFailed(TransferFailure)
        case backedOff
        case asked(TransferWish)
    }

    package enum Action: Equatable, Sendable {
        case lookUp(fileId: String, revisionId: String?)
        /// Gives up what is under way, checks the destination and the room, and opens the partial file.
        case prepare(keeping: Bool)
        case fetch(ChunkRun)
        /// The partial file is whole up to here, in bytes: hash on.
        case hash(upTo: Int64)
        case promote
        /// Gives up all that is under way, and removes the partial file.
        case discard
        case backOff(TransferFailure, failures: Int)
        case save
        case rest
    }

    package private(set) var transfer: DownloadTransfer
    private var run = Run()

    private struct Run: Sendable {
        enum Phase: Sendable {
            case lookingUp, preparing, fetching, finishing
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
        var wholeHash: ContentHash?
    }

    private static let smallestWindow = 2
    private static let largestWindow = 4
    /// Chunks that one request asks for: enough to make requests cheap, few enough to keep the ranges side by side.
    private static let chunksInRange = 4
    private static let patience = 5
    /// Look-ups in a row without one more chunk.
    private static let mostLookUps = 8

    package init(_ transfer: DownloadTransfer) { self.transfer = transfer }

    package mutating func handle(_ event: Event) -> [Action] {
        guard !transfer.state.isOver else { return [] }
        switch event {
        case .begin, .backedOff: return begin(again: event.isBackedOff)
        case .asked(let wish): return grant(wish)
        case .lookedUp(let content): return lookedUp(content)
        case .lookUpRefused(let failure): return retryOrEnd(failure)
        case .prepared(let kept): return prepared(kept)
        case .chunkArrived(let index): return arrived(index)
        case .rangeDone(let range): return done(range)
        case .rangeRefused(let range, let failure): return refused(range, failure)
        case .hashed(let hash):
            run.wholeHash = hash
            return finishIfWhole()
        case .promoted: return complete()
        case .diskFailed(let failure): return end(with: failure)
        }
    }

    // MARK: - Beginning

    private mutating func begin(again: Bool) -> [Action] {
        if again {
            run.backingOff = false
            transfer.state = .transferring
            if run.phase == .fetching { return pump() }
        } else {
            run = Run()
            transfer.state = .preparing
        }
        return lookUp()
    }

    /// Always asked anew: the address is signed for an hour, and the head may be another by now.
    private mutating func lookUp() -> [Action] {
        run.phase = .lookingUp
        return [.lookUp(fileId: transfer.remoteFileId, revisionId: transfer.followsHead ? nil : transfer.revisionId)]
    }

    private mutating func lookedUp(_ content: RemoteContent) -> [Action] {
        guard run.phase == .lookingUp else { return [] }
        run.lookUps += 1
        guard run.lookUps <= Self.mostLookUps else { return end(with: oddity("changes faster than it can be fetched")) }
        guard content.size >= 0, content.size <= UploadLimits.maximumFileSize else { return end(with: oddity("has a size that cannot be")) }
        let same =
            transfer.revisionId == content.revisionId && transfer.expectedHash == content.checksum
            && transfer.expectedSize == content.size
        if !same { adopt(content) }
        transfer.modifiedAt = content.modifiedAt
        transfer.executable = content.executable
        run.phase = .preparing
        transfer.state = .preparing
        return (same ? [] : [.discard]) + [.save, .prepare(keeping: !transfer.downloadedChunks.isEmpty)]
    }

    /// A new revision: what is here of the old one is other bytes.
    private mutating func adopt(_ content: RemoteContent) {
        transfer.revisionId = content.revisionId
        transfer.expectedHash = content.checksum
        transfer.expectedSize = content.size
        transfer.etag = content.checksum.map { "\"\($0.hex)\"" }
        forgetProgress()
    }

    private mutating func prepared(_ kept: Bool) -> [Action] {
        guard run.phase == .preparing else { return [] }
        if !kept { forgetProgress() }
        run.phase = .fetching
        run.fetching = [:]
        run.backingOff = false
        transfer.state = .transferring
        return [.save, hashAction] + pump()
    }

    private mutating func forgetProgress() {
        transfer.downloadedChunks = ChunkProgress(total: transfer.grid?.total ?? 0)
        transfer.attemptsPerChunk = [:]
        transfer.lastByteOffset = 0
        run.wholeHash = nil
    }

    // MARK: - Fetching

    private mutating func pump() -> [Action] {
        guard run.phase == .fetching, !run.backingOff else { return [] }
        var actions = [Action]()
        while run.fetching.count < run.window, let range = nextRange {
            run.fetching[range.first] = range
            actions.append(.fetch(range))
        }
        return actions.isEmpty ? finishIfWhole() : actions
    }

    /// The lowest chunks that are missing and not under way, so that the hash can follow closely.
    private var nextRange: ChunkRun? {
        var start = transfer.downloadedChunks.firstMissing()
        while let index = start, let busy = run.fetching.values.first(where: { $0.first <= index && index <= $0.last }) {
            start = transfer.downloadedChunks.firstMissing(from: busy.last + 1)
        }
        guard let first = start else { return nil }
        var last = first
        while last + 1 < transfer.downloadedChunks.total, last - first + 1 < Self.chunksInRange,
            !transfer.downloadedChunks.contains(last + 1), run.fetching[last + 1] == nil { last += 1 }
        return ChunkRun(first: first, last: last)
    }

    private mutating func arrived(_ index: Int) -> [Action] {
        guard run.phase == .fetching || run.phase == .lookingUp, !transfer.downloadedChunks.contains(index),
            let grid = transfer.grid
        else { return [] }
        transfer.downloadedChunks.insert(index)
        transfer.lastByteOffset = grid.offset(of: transfer.downloadedChunks.prefix)
        transfer.shownBytes = max(transfer.shownBytes, grid.bytes(in: transfer.downloadedChunks))
        transfer.failures = 0
        transfer.lastError = nil
        run.stumbles = 0
        run.oddities = 0
        run.lookUps = 0
        return [.save, hashAction]
    }

    private var hashAction: Action { .hash(upTo: transfer.lastByteOffset) }

    private mutating func done(_ range: ChunkRun) -> [Action] {
        guard run.fetching.removeValue(forKey: range.first) != nil else { return [] }
        run.doneInARow += 1
        if run.doneInARow >= run.window {
            run.doneInARow = 0
            run.window = min(run.window + 1, Self.largestWindow)
        }
        return pump()
    }

    private mutating func refused(_ range: ChunkRun, _ failure: TransferFailure) -> [Action] {
        guard run.fetching.removeValue(forKey: range.first) != nil else { return [] }
        transfer.lastServerStatus = failure.status ?? transfer.lastServerStatus
        transfer.attemptsPerChunk[range.first, default: 0] += 1
        run.window = Self.smallestWindow
        run.doneInARow = 0
        if let code = failure.problem?.code, code == .urlExpired || code == .urlInvalid || code == .rangeNotSatisfiable {
            return lookUpAgain()
        }
        switch failure.code {
        case .answerInvalid, .integrityMismatch:
            // A wrong range, a whole file where a part was asked for, too many bytes: once may be an accident.
            run.oddities += 1
            transfer.lastError = failure
            return run.oddities >= Self.patience ? end(with: failure) : backOff(failure)
        case .notFound: return lookUpAgain()
        default: return retryOrEnd(failure)
        }
    }

    /// Ranges that are under way may each find out that the address is worth nothing any more.
    private mutating func lookUpAgain() -> [Action] { run.phase == .fetching ? lookUp() : [] }

    // MARK: - Finishing

    private mutating func finishIfWhole() -> [Action] {
        guard run.phase == .fetching, transfer.downloadedChunks.isComplete, run.fetching.isEmpty else { return [] }
        transfer.state = .verifying
        guard let hash = run.wholeHash else { return [] }
        if let expected = transfer.expectedHash, expected != hash { return corrupted() }
        transfer.expectedHash = hash
        run.phase = .finishing
        return [.save, .promote]
    }

    /// Bytes went wrong on the way or on this disk. Once, everything is fetched again by itself.
    private mutating func corrupted() -> [Action] {
        run.restarts += 1
        forgetProgress()
        let failure = TransferFailure(.integrityMismatch, "What arrived of “\(transfer.name)” is not what the server has.")
        transfer.lastError = failure
        guard run.restarts < 2 else { return [.discard] + end(with: failure) }
        return [.discard, .save] + lookUp()
    }

    private mutating func complete() -> [Action] {
        transfer.state = .completed
        transfer.lastError = nil
        transfer.failures = 0
        transfer.shownBytes = transfer.expectedSize ?? 0
        return [.save, .rest]
    }

    private mutating func grant(_ wish: TransferWish) -> [Action] {
        transfer.lastError = nil
        switch wish {
        case .pause: transfer.state = .paused(.user)
        case .stop: transfer.state = .paused(.stopped)
        case .cancel:
            transfer.state = .canceled
            return [.discard, .save, .rest]
        }
        return [.save, .rest]
    }

    private mutating func end(with failure: TransferFailure) -> [Action] {
        transfer.lastError = failure
        transfer.state = failure.code == .signInNeeded ? .paused(.signInNeeded) : .failed
        return [.save, .rest]
    }

    private mutating func retryOrEnd(_ failure: TransferFailure) -> [Action] {
        guard failure.isTransient else { return end(with: failure) }
        if !failure.isNetworks {
            transfer.failures += 1
            if transfer.failures >= Self.patience { return end(with: failure) }
        }
        return backOff(failure)
    }

    private mutating func backOff(_ failure: TransferFailure) -> [Action] {
        run.stumbles += 1
        transfer.lastError = failure
        transfer.state = .paused(failure.code == .offline ? .offline : .serverBusy)
        guard !run.backingOff else { return [.save] }
        run.backingOff = true
        return [.save, .backOff(failure, failures: run.stumbles)]
    }

    private func oddity(_ what: String) -> TransferFailure {
        TransferFailure(.answerInvalid, "“\(transfer.name)” \(what).")
    }
}

extension DownloadMachine.Event {
    fileprivate var isBackedOff: Bool { if case .backedOff = self { true } else { false } }
}
