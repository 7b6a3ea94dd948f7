import BothyContract
import Collections

/// Which transfers of this process run now, and which wait: many small ones or a few large ones at a time.
struct TransferQueue {
    struct Entry: Sendable {
        /// As it was claimed.
        var record: TransferRecord
        /// Bytes of the file; nil where they are not known yet.
        var size: Int64?
        /// What is known of a download's content already, from a list that has just been read.
        var known: RemoteContent?

        var id: String { record.id }

        /// Whether it is a download that goes together with others.
        var isSharedDownload: Bool {
            guard case .download(let transfer) = record else { return false }
            return DownloadOrder.isShared(size, changes: transfer.hasOwnBasis)
        }
    }

    /// In their order.
    private var waiting = Deque<String>()
    /// Those in `waiting`, by their ids.
    private var known = [String: Entry]()
    /// The weights of those that run.
    private var running = [String: Int]()
    private var load = 0

    /// What may run at once. A large transfer has up to six chunks of 4 MiB in memory.
    private static let capacity = 288
    /// Of files up to this many bytes, many go in one request.
    private static let tiny: Int64 = 16 << 10
    private static let small: Int64 = 128 << 10
    private static let medium: Int64 = 5 << 20

    /// What runs or waits already is not added again.
    mutating func add(_ entries: [Entry]) {
        for entry in entries where running[entry.id] == nil && known[entry.id] == nil {
            known[entry.id] = entry
            waiting.append(entry.id)
        }
    }

    /// The next that may begin, if one may.
    mutating func next() -> Entry? {
        guard let id = waiting.first, let entry = known[id] else { return nil }
        let weight = Self.weight(of: entry)
        guard running.isEmpty || load + weight <= Self.capacity else { return nil }
        waiting.removeFirst()
        known[id] = nil
        running[id] = weight
        load += weight
        return entry
    }

    /// One that has not begun.
    func waiting(_ id: String) -> Entry? { known[id] }

    mutating func ended(_ id: String) { load -= running.removeValue(forKey: id) ?? 0 }

    /// Takes what waits out of the queue.
    mutating func remove(_ id: String) -> Bool {
        guard known.removeValue(forKey: id) != nil else { return false }
        waiting.removeAll { $0 == id }
        return true
    }

    mutating func removeAll() {
        waiting = []
        known = [:]
    }

    private static func weight(of entry: Entry) -> Int {
        switch (entry.record, entry.size ?? medium) {
        // As many as two requests carry.
        case (_, ...tiny): 1
        // As many as there are connections.
        case (_, ...small): 9
        case (_, ...medium): 48
        default: 144
        }
    }
}
