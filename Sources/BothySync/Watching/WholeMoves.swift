#if os(Linux)
    /// Keeps the two halves of a move together that came by two reads: told without its other half, what was moved would
    /// look deleted for a moment.
    ///
    /// The kernel tells the halves one after the other, not at once, and what happens elsewhere may be told between them.
    struct WholeMoves {
        /// From the first half on that waits for its other one.
        private var held: [InotifyRecord] = []

        /// Whether it is worth it to wait a little for more.
        var isWaiting: Bool { !held.isEmpty }

        /// - Parameter records: what one read brought.
        /// - Returns: what may be told by now, in the order in which it was read. No half waits for more than one read: what was
        ///   moved to a place that nobody watches has no other one.
        mutating func take(_ records: [InotifyRecord]) -> [InotifyRecord] {
            let all = held + records
            let arrived = Set(all.lazy.filter(\.isArriving).map(\.cookie))
            let half = all[held.count...].firstIndex { $0.isLeaving && !arrived.contains($0.cookie) } ?? all.endIndex
            let end = Self.cut(all, at: half)
            held = Array(all[end...])
            return Array(all[..<end])
        }

        /// The last place up to `end` that lies between no two halves.
        private static func cut(_ records: [InotifyRecord], at end: Int) -> Int {
            let late = Set(records[end...].lazy.filter(\.isArriving).map(\.cookie))
            let torn = records[..<end].firstIndex { $0.isLeaving && late.contains($0.cookie) }
            return torn.map { cut(records, at: $0) } ?? end
        }

        /// - Returns: what was held back, now that nothing more comes.
        mutating func giveUp() -> [InotifyRecord] {
            defer { held = [] }
            return held
        }
    }
#endif
