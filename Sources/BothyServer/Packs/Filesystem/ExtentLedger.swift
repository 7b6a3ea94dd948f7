import Synchronization

/// Which room of the packs is still being written, so that reclaiming keeps off it.
final class ExtentLedger: Sendable {
    private struct State {
        var nextTicket: UInt64 = 0
        var open = [UInt64: Extent.Place]()
    }

    private let state = Mutex(State())

    func add(_ place: Extent.Place) -> UInt64 {
        state.withLock { state in
            state.nextTicket += 1
            state.open[state.nextTicket] = place
            return state.nextTicket
        }
    }

    func remove(_ ticket: UInt64) { state.withLock { $0.open[ticket] = nil } }

    /// Bytes that are promised to writers.
    var openBytes: Int64 { state.withLock { $0.open.values.reduce(0) { $0 + $1.bytes } } }

    /// The lowest place below `end` that a writer may still change; `end` where there is none.
    func lowestOpen(below end: ReclaimMark) -> ReclaimMark {
        state.withLock { state in
            state.open.values.reduce(end) { min($0, ReclaimMark(pack: $1.pack, offset: $1.start)) }
        }
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
