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
        /// - Returns: what may be told by now, in the order in which it was read. Nothing is held back for more than one read:
        ///   what was moved to a place that nobody watches has no other half.
        mutating func take(_ records: [InotifyRecord]) -> [InotifyRecord] {
            let arrived = Set(records.lazy.filter(\.isArriving).map(\.cookie))
            let half = records.firstIndex { $0.isLeaving && !arrived.contains($0.cookie) } ?? records.endIndex
            defer { held = Array(records[half...]) }
            return held + records[..<half]
        }

        /// - Returns: what was held back, now that nothing more comes.
        mutating func giveUp() -> [InotifyRecord] {
            defer { held = [] }
            return held
        }
    }
#endif
