import Synchronization

/// Which room of the packs is still being written, so that reclaiming keeps off it.
///
/// A block that is finished is not in the database at once. It counts as settled (the database knows it, or never will)
/// a day after it was finished: no request lives that long, and a process that died takes its requests along.
final class ExtentLedger: Sendable {
    static let secondsToSettle = 86_400.0
    /// Finished blocks are remembered in buckets of ten minutes, 145 at most, however many they are.
    private static let secondsPerBucket = 600.0

    private struct Bucket {
        var number: Int
        var lowest: ReclaimMark
    }

    private struct State {
        var nextTicket: UInt64 = 0
        var open = [UInt64: Extent.Place]()
        var settling = [Bucket]()
    }

    private let clock: any ServerClock
    private let state = Mutex(State())

    init(clock: any ServerClock) { self.clock = clock }

    func add(_ place: Extent.Place) -> UInt64 {
        state.withLock { state in
            state.nextTicket += 1
            state.open[state.nextTicket] = place
            return state.nextTicket
        }
    }

    func remove(_ ticket: UInt64) {
        let number = Int(clock.uptimeSeconds() / Self.secondsPerBucket)
        state.withLock { state in
            guard let place = state.open.removeValue(forKey: ticket) else { return }
            let start = ReclaimMark(pack: place.pack, offset: place.start)
            if let last = state.settling.last, last.number >= number {
                state.settling[state.settling.count - 1].lowest = min(last.lowest, start)
            } else {
                state.settling.append(Bucket(number: number, lowest: start))
            }
            Self.dropSettled(&state, before: number)
        }
    }

    /// Bytes that are promised to writers.
    var openBytes: Int64 { state.withLock { $0.open.values.reduce(0) { $0 + $1.bytes } } }

    /// The lowest place below `end` that may still be written or come to be known.
    func lowestUnsettled(below end: ReclaimMark) -> ReclaimMark {
        let number = Int(clock.uptimeSeconds() / Self.secondsPerBucket)
        return state.withLock { state in
            Self.dropSettled(&state, before: number)
            let open = state.open.values.map { ReclaimMark(pack: $0.pack, offset: $0.start) }
            return (open + state.settling.map(\.lowest)).min().map { min($0, end) } ?? end
        }
    }

    /// The lowest place in `pack` that a writer may still change.
    func lowestOpen(in pack: Int64) -> Int64? {
        state.withLock { state in state.open.values.filter { $0.pack == pack }.map(\.start).min() }
    }

    private static func dropSettled(_ state: inout State, before number: Int) {
        let settled = number - Int(secondsToSettle / secondsPerBucket) - 1
        state.settling.removeAll { $0.number < settled }
    }
}

/// A record's room in a pack, promised to one writer. It is given up with the last reference to it.
final class Extent: Sendable {
    struct Place: Sendable {
        var pack: Int64
        var start: Int64
        var bytes: Int64
    }

    let file: PackFile
    let place: Place
    private let ledger: ExtentLedger
    private let ticket: UInt64

    init(file: PackFile, place: Place, ledger: ExtentLedger) {
        self.file = file
        self.place = place
        self.ledger = ledger
        ticket = ledger.add(place)
    }

    deinit { ledger.remove(ticket) }
}

extension ReclaimMark: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        (left.pack, left.offset) < (right.pack, right.offset)
    }
}
