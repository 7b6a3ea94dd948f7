import BothyContract

/// Which chunks of a file are there, as a set of bits.
package struct ChunkProgress: Equatable, Sendable {
    package let total: Int
    package private(set) var count = 0
    /// The first index that is missing; `total` when none is.
    package private(set) var prefix = 0
    private var bits: [UInt8]

    package init(total: Int) {
        self.total = total
        bits = [UInt8](repeating: 0, count: (total + 7) / 8)
    }

    /// What `bytes` kept. Bits past `total`, or a length that does not fit, make an empty set.
    package init(total: Int, bytes: [UInt8]) {
        self.init(total: total)
        guard bytes.count == bits.count else { return }
        for index in 0..<total where bytes[index / 8] & (1 << (index % 8)) != 0 { insert(index) }
    }

    package var bytes: [UInt8] { bits }
    package var isComplete: Bool { count == total }
    package var isEmpty: Bool { count == 0 }

    package func contains(_ index: Int) -> Bool {
        index < total && bits[index / 8] & (1 << (index % 8)) != 0
    }

    package mutating func insert(_ index: Int) {
        guard index < total, !contains(index) else { return }
        bits[index / 8] |= 1 << (index % 8)
        count += 1
        while prefix < total, contains(prefix) { prefix += 1 }
    }

    package mutating func insert(_ runs: [ChunkRun]) {
        for run in runs where run.first < total {
            for index in run.first...min(run.last, total - 1) { insert(index) }
        }
    }

    package mutating func remove(_ runs: [ChunkRun]) {
        for run in runs where run.first < total {
            for index in run.first...min(run.last, total - 1) where contains(index) {
                bits[index / 8] &= ~(1 << (index % 8))
                count -= 1
                prefix = min(prefix, index)
            }
        }
    }

    /// The first missing index at or after `start`.
    package func firstMissing(from start: Int = 0) -> Int? {
        var index = max(start, prefix)
        while index < total, contains(index) { index += 1 }
        return index < total ? index : nil
    }
}
