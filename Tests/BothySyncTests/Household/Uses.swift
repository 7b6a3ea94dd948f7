import Synchronization

/// Ways in which fewer bytes go over the wire or lie on the disk. Each has code of its own, so that a world in which one is never used
/// says nothing of it.
enum Sparing: String, CaseIterable {
    /// Taken by the server.
    case patchUp = "patches up"
    /// Made by the server.
    case patchDown = "patches down"
    case batchUp = "batches up"
    case batchDown = "batches down"
    /// At the end.
    case compressedBlock = "compressed blocks"
    /// Bytes that were copied out of a pack that was to go.
    case movedByte = "bytes moved out of packs"
    /// Bytes given back to the disk.
    case reclaimedByte = "bytes given back"
}

/// How often each was used.
final class Uses: Sendable, CustomStringConvertible {
    private let counts = Mutex([Sparing: Int]())

    func add(_ sparing: Sparing, _ count: Int = 1) { counts.withLock { $0[sparing, default: 0] += count } }

    func add(_ others: Uses) { for (sparing, count) in others.counts.withLock({ $0 }) { add(sparing, count) } }

    /// Those that were not used at all.
    var never: [String] {
        let counts = counts.withLock { $0 }
        return Sparing.allCases.filter { counts[$0, default: 0] == 0 }.map(\.rawValue)
    }

    var description: String {
        let counts = counts.withLock { $0 }
        return Sparing.allCases.map { "\(counts[$0, default: 0]) \($0.rawValue)" }.joined(separator: ", ")
    }
}
