import BothyContract
import Collections

/// Which transfers of this process run now, and which wait: many small ones or a few large ones at a time. They begin in their order, but
/// that a few smaller ones need not wait for large ones to end.
struct TransferQueue {
    struct Entry: Sendable {
        /// As it was claimed.
        var record: TransferRecord
        /// Bytes of the file; nil where they are not known yet.
        var size: Int64?
        /// What is known of a download's content already, from a list that has just been read.
        var known: RemoteContent?

        var id: String { record.id }

        /// Bytes that it takes in a request of a ``TransferCompany``, metadata included, or in its answer; nil for what does not go in one,
        /// as what leaves something to be remembered does not.
        var bytesInCompany: Int? {
            guard let size else { return nil }
            switch record {
            case .upload(let transfer):
                guard !transfer.spooled, !transfer.chunked, transfer.sessionId == nil, transfer.generation == 0,
                    SharedRequest.takes(size, isChange: transfer.fileId != nil)
                else { return nil }
                return Int(size) + Self.metadata
            case .download(let transfer):
                guard isSharedDownload, known?.revisionId != nil, transfer.expectedSize == nil,
                    SharedRequest.takes(size, isChange: transfer.basisPath != nil)
                else { return nil }
                return Int(size)
            }
        }

        /// Bytes, about.
        private static let metadata = 512

        /// Whether it is a download that goes together with others.
        var isSharedDownload: Bool {
            guard case .download(let transfer) = record else { return false }
            return DownloadOrder.isShared(size, changes: transfer.hasOwnBasis)
        }
    }

    /// Those that wait, in their order.
    private var large = Deque<Turn>()
    private var smaller = Deque<Turn>()
    /// What waits, by its id.
    private var known = [String: Entry]()
    /// The weights of those that run.
    private var running = [String: Int]()
    private var load = 0
    /// What of it large ones are.
    private var loadOfLarge = 0
    private var turns = 0

    private struct Turn {
        var number: Int
        var id: String
    }

    /// What may run at once: two large ones, which have up to six chunks of 4 MiB in memory each, or what several requests carry of
    /// small ones, so that the next is read while others are sent and noted.
    private static let capacity = 640
    /// What of it smaller ones may take before large ones that came earlier, also above it.
    private static let overtaking = 106
    /// Of files up to this many bytes, many go in one request.
    private static let tiny: Int64 = 16 << 10
    private static let small: Int64 = 128 << 10
    private static let medium: Int64 = 5 << 20

    /// What runs or waits already is not added again.
    mutating func add(_ entries: [Entry]) {
        for entry in entries where running[entry.id] == nil && known[entry.id] == nil {
            known[entry.id] = entry
            turns += 1
            let turn = Turn(number: turns, id: entry.id)
            if Self.weight(of: entry) == Self.heaviest { large.append(turn) } else { smaller.append(turn) }
        }
    }

    /// The next that may begin, if one may.
    mutating func next() -> Entry? {
        let isLargeFirst = (large.first?.number ?? .max) < (smaller.first?.number ?? .max)
        let others = load - loadOfLarge
        // Those that overtake take nothing from it.
        let counted = load - min(others, Self.overtaking)
        if isLargeFirst, counted + Self.heaviest <= Self.capacity { return begin(large.removeFirst()) }
        guard let next = smaller.first, let weight = known[next.id].map(Self.weight) else { return nil }
        let mayOvertake = loadOfLarge > 0 && others + weight <= Self.overtaking
        guard load == 0 || mayOvertake || !isLargeFirst && load + weight <= Self.capacity else { return nil }
        return begin(smaller.removeFirst())
    }

    private mutating func begin(_ turn: Turn) -> Entry? {
        guard let entry = known.removeValue(forKey: turn.id) else { return nil }
        let weight = Self.weight(of: entry)
        running[turn.id] = weight
        load += weight
        if weight == Self.heaviest { loadOfLarge += weight }
        return entry
    }

    /// One that has not begun.
    func waiting(_ id: String) -> Entry? { known[id] }

    mutating func ended(_ id: String) {
        guard let weight = running.removeValue(forKey: id) else { return }
        load -= weight
        if weight == Self.heaviest { loadOfLarge -= weight }
    }

    /// Takes what waits out of the queue.
    mutating func remove(_ id: String) -> Bool {
        guard known.removeValue(forKey: id) != nil else { return false }
        large.removeAll { $0.id == id }
        smaller.removeAll { $0.id == id }
        return true
    }

    mutating func removeAll() {
        (large, smaller) = ([], [])
        known = [:]
    }

    private static let heaviest = capacity / 2

    private static func weight(of entry: Entry) -> Int {
        switch (entry.record, entry.size ?? medium) {
        // 10 MiB of them, and as much of the next.
        case (_, ...tiny): 1
        case (_, ...small): 8
        case (_, ...medium): capacity / 6
        default: heaviest
        }
    }
}
