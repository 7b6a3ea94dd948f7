public import BothyContract

/// A set of chunk indexes, kept as runs: what came in order costs one run, whatever its length.
public struct ChunkSet: Equatable, Sendable {
    /// Ascending; between two runs at least one index is missing.
    public private(set) var runs: [ChunkRun]
    public private(set) var count: Int

    public init() {
        runs = []
        count = 0
    }

    public init(_ indexes: some Sequence<Int>) {
        self.init()
        for index in indexes { insert(index) }
    }

    /// - Returns: false when it was there already.
    @discardableResult
    public mutating func insert(_ index: Int) -> Bool {
        precondition(index >= 0, "chunks are counted from 0")
        let place = firstRun(endingAtOrAfter: index)
        if place < runs.count, runs[place].first <= index { return false }
        let joinsBefore = place > 0 && runs[place - 1].last + 1 == index
        let joinsAfter = place < runs.count && runs[place].first == index + 1
        switch (joinsBefore, joinsAfter) {
        case (true, true):
            runs[place - 1].last = runs[place].last
            runs.remove(at: place)
        case (true, false): runs[place - 1].last = index
        case (false, true): runs[place].first = index
        case (false, false): runs.insert(ChunkRun(first: index, last: index), at: place)
        }
        count += 1
        return true
    }

    public mutating func insert(_ run: ChunkRun) {
        if let last = runs.last?.last, run.first <= last {
            for index in run.first...run.last { insert(index) }
        } else if let last = runs.indices.last, runs[last].last + 1 == run.first {
            runs[last].last = run.last
            count += run.last - run.first + 1
        } else {
            runs.append(run)
            count += run.last - run.first + 1
        }
    }

    public func contains(_ index: Int) -> Bool {
        let place = firstRun(endingAtOrAfter: index)
        return place < runs.count && runs[place].first <= index
    }

    /// What is not there, among the indexes below `total`.
    public func missing(below total: Int) -> [ChunkRun] {
        var gaps = [ChunkRun]()
        var next = 0
        for run in runs where next < total {
            if run.first > next { gaps.append(ChunkRun(first: next, last: min(run.first, total) - 1)) }
            next = run.last + 1
        }
        if next < total { gaps.append(ChunkRun(first: next, last: total - 1)) }
        return gaps
    }

    private func firstRun(endingAtOrAfter index: Int) -> Int {
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].last < index { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
