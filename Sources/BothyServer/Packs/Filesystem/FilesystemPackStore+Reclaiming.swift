/// Reclaiming and backing up take turns: a backup must find every block of the snapshot that it copies.
actor ReclaimTurn {
    private var isTaken = false
    private var waiting = [CheckedContinuation<Void, Never>]()

    func take() async {
        if !isTaken {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func giveUp() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}

extension FilesystemPackStore {
    package var end: ReclaimMark { appender.end }

    package func reclaimMark() async -> ReclaimMark { appender.ledger.lowestOpen(below: appender.end) }

    package func withoutReclaim<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        await reclaiming.take()
        do {
            let value = try await body()
            await reclaiming.giveUp()
            return value
        } catch {
            await reclaiming.giveUp()
            throw error
        }
    }

    package func reclaim(
        _ chosen: Int64?, keeping live: @Sendable (Int64) async throws -> [BlockLocation], asOf mark: ReclaimMark
    ) async throws -> Int64 {
        // A backup that began after the mark was taken has to be waited for; the mark only grows older by it.
        try await withoutReclaim {
            var freed: Int64 = 0
            for pack in try await listPacks() where pack <= mark.pack && (chosen ?? pack) == pack {
                let kept = try await live(pack)
                freed += try await blocking { [self] in try reclaimPack(pack, keeping: kept, asOf: mark) }
            }
            return freed
        }
    }

    package func fullPacks() async throws -> [PackExtent] {
        let full = try await listPacks().filter { !appender.isNewest($0) }
        return try await blocking { [packs] in
            try full.map { pack in
                let size = try packs.file(pack).size()
                return PackExtent(pack: pack, bytes: size.bytes, allocatedBytes: size.allocatedBytes)
            }
        }
    }

    func listPacks() async throws -> [Int64] {
        try await blocking { [disk, folder] in try disk.list(folder).compactMap(PackFormat.pack(ofFileName:)).sorted() }
    }

    /// Blocks.
    private func reclaimPack(_ pack: Int64, keeping live: [BlockLocation], asOf mark: ReclaimMark) throws -> Int64 {
        let file = try packs.file(pack)
        let before = try file.size()
        if live.isEmpty, pack < mark.pack, !appender.isNewest(pack) {
            packs.forget(pack)
            try disk.remove(packs.path(pack))
            return before.allocatedBytes
        }
        let end = pack == mark.pack ? min(mark.offset, before.bytes) : before.bytes
        let gaps = PackGaps.between(live, below: end)
        let liveBytes = live.reduce(0) { $0 + PackFormat.recordBytes($1.stored) }
        // Nothing to gain where what is allocated is about what lives and what is not settled.
        guard before.allocatedBytes > liveBytes + (before.bytes - end) + PackGaps.slack(gaps.count) else { return 0 }
        // Without holes a pack keeps its room until compaction has moved away what lives in it.
        for gap in gaps where !(try Self.punch(gap, in: file)) { return 0 }
        return max(0, before.allocatedBytes - (try file.size().allocatedBytes))
    }

    /// - Returns: false on a disk that knows no holes.
    private static func punch(_ gap: Range<Int64>, in file: PackFile) throws(DiskFailure) -> Bool {
        do throws(DiskFailure) {
            try file.punchHole(offset: gap.lowerBound, length: gap.upperBound - gap.lowerBound)
            return true
        } catch {
            guard error.isUnsupported else { throw error }
            return false
        }
    }
}

/// The room of a pack between the records that live.
enum PackGaps {
    /// A disk gives back whole blocks only, usually of 4 KiB.
    static let diskBlock: Int64 = 4096

    /// - Parameter end: nothing from there on is touched.
    static func between(_ live: [BlockLocation], below end: Int64) -> [Range<Int64>] {
        var gaps = [Range<Int64>]()
        var next = Int64(PackFormat.headerBytes)
        for location in live.sorted(by: { $0.offset < $1.offset }) {
            let start = location.offset - Int64(PackFormat.headerBytes)
            if start >= end { break }
            if start - next >= diskBlock { gaps.append(next..<start) }
            next = max(next, start + PackFormat.recordBytes(location.stored))
        }
        if end - next >= diskBlock { gaps.append(next..<end) }
        return gaps
    }

    /// What the ends of so many gaps keep, at most.
    static func slack(_ gaps: Int) -> Int64 { Int64(gaps + 1) * 2 * diskBlock }
}
