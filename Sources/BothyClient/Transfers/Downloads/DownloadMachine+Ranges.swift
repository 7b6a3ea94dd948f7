import BothyContract

/// The part of a download that fetches ranges side by side.
extension DownloadMachine {
    mutating func pump() -> [Action] {
        guard run.phase == .fetching, !run.backingOff else { return [] }
        var actions = [Action]()
        while run.fetching.count < run.window, let range = nextRange {
            run.fetching[range.first] = range
            actions.append(.fetch(range))
        }
        return actions.isEmpty ? finishIfWhole() : actions
    }

    /// The lowest chunks that are missing and not under way, so that the hash can follow closely.
    var nextRange: ChunkRun? {
        var start = transfer.downloadedChunks.firstMissing()
        while let index = start, let busy = run.fetching.values.first(where: { $0.first <= index && index <= $0.last })
        {
            start = transfer.downloadedChunks.firstMissing(from: busy.last + 1)
        }
        guard let first = start else { return nil }
        var last = first
        while last + 1 < transfer.downloadedChunks.total, last - first + 1 < chunksInRange,
            !transfer.downloadedChunks.contains(last + 1), run.fetching[last + 1] == nil
        { last += 1 }
        return ChunkRun(first: first, last: last)
    }

    private var chunksInRange: Int { max(1, Int(Self.bytesInRange / transfer.chunkSize)) }

    mutating func arrived(_ index: Int, carried: Int64?) -> [Action] {
        guard run.phase == .fetching || run.phase == .lookingUp, !run.isRegridding,
            !transfer.downloadedChunks.contains(index), let grid = transfer.grid
        else { return [] }
        transfer.downloadedChunks.insert(index)
        transfer.fetchedBytes += carried ?? Int64(grid.range(of: index).count)
        transfer.lastByteOffset = grid.offset(of: transfer.downloadedChunks.prefix)
        transfer.shownBytes = max(transfer.shownBytes, grid.bytes(in: transfer.downloadedChunks))
        transfer.failures = 0
        transfer.lastError = nil
        run.stumbles = 0
        run.oddities = 0
        run.lookUps = 0
        run.cuts = 0
        return [.noteProgress, hashAction]
    }

    var hashAction: Action { .hash(upTo: transfer.lastByteOffset) }

    mutating func done(_ range: ChunkRun) -> [Action] {
        guard run.fetching.removeValue(forKey: range.first) != nil else { return [] }
        run.doneInARow += 1
        if run.doneInARow >= run.window {
            run.doneInARow = 0
            run.window = min(run.window + 1, Self.largestWindow)
        }
        return pump()
    }

    mutating func refused(_ range: ChunkRun, _ failure: TransferFailure, taken: Int64) -> [Action] {
        guard run.fetching.removeValue(forKey: range.first) != nil else { return [] }
        transfer.lastServerStatus = failure.status ?? transfer.lastServerStatus
        transfer.attemptsPerChunk[range.first, default: 0] += 1
        run.window = Self.smallestWindow
        run.doneInARow = 0
        if let code = failure.problem?.code, code == .urlExpired || code == .urlInvalid || code == .rangeNotSatisfiable
        {
            return lookUpAgain()
        }
        if taken > 0, taken < transfer.chunkSize { run.cuts += 1 }
        // Perhaps by as many runners.
        let isCutAgainAndAgain =
            taken > 0 && transfer.attemptsPerChunk[range.first, default: 0] > Self.cutsBeforeShrinking
        if run.cuts >= Self.cutsBeforeShrinking || isCutAgainAndAgain, let finer = finerChunks {
            transfer.downloadedChunks = finer
            transfer.chunkSize /= 2
            transfer.attemptsPerChunk = [:]
            run.cuts = 0
            run.isRegridding = true
            run.isPlain = true
            return [.save] + lookUpAgain()
        }
        switch failure.code {
        case .answerInvalid, .integrityMismatch:
            run.isPlain = true
            // A wrong range, a whole file where a part was asked for, too many bytes: once may be an accident.
            run.oddities += 1
            transfer.lastError = failure
            return run.oddities >= Self.mostOddities ? end(with: failure) : backOff(failure)
        case .notFound: return lookUpAgain()
        case .contentDamaged:
            return end(with: failure.with { $0.words = "The server's copy of “\(transfer.name)” is damaged." })
        default: return retryOrEnd(failure)
        }
    }

    /// The same bytes in chunks of half the size; nil where they are small enough.
    var finerChunks: ChunkProgress? {
        guard let size = transfer.expectedSize, transfer.chunkSize / 2 >= Self.smallestChunk else { return nil }
        let grid = ChunkGrid(size: size, chunkSize: transfer.chunkSize / 2)
        guard grid.total <= Self.mostChunks else { return nil }
        var finer = ChunkProgress(total: grid.total)
        for index in 0..<grid.total where transfer.downloadedChunks.contains(index / 2) { finer.insert(index) }
        return finer
    }

    /// Ranges that are under way may each find out that the address is worth nothing any more.
    mutating func lookUpAgain() -> [Action] { run.phase == .fetching ? lookUp() : [] }
}
