/// What is let go when more is kept than may be: what was not used for longest first, and never what must stay. Pure.
package enum Eviction {
    /// Something that may be let go as a whole.
    package struct Shelf<ID: Hashable & Comparable & Sendable>: Equatable, Sendable {
        package var id: ID
        /// Bytes that letting it go frees.
        package var bytes: Int64
        /// Grows with each use of anything; 0 for what was never used.
        package var lastUse: Int64
        /// Pinned, bound, pending, in a conflict, or open at this moment.
        package var stays: Bool

        package init(id: ID, bytes: Int64, lastUse: Int64, stays: Bool) {
            self.id = id
            self.bytes = bytes
            self.lastUse = lastUse
            self.stays = stays
        }
    }

    /// Tenths of the cap that are kept once something is let go: else the next thing that comes would push out another.
    private static let kept: Int64 = 9

    /// - Parameters:
    ///   - held: bytes that are held in all.
    ///   - cap: bytes that may be held.
    /// - Returns: what is let go, in the order of letting go; nothing while `held` is within `cap`.
    package static func choose<ID>(_ shelves: [Shelf<ID>], held: Int64, cap: Int64) -> [ID] {
        guard held > cap else { return [] }
        let target = cap / 10 * kept
        var (left, chosen) = (held, [ID]())
        let order = shelves.lazy.filter { !$0.stays && $0.bytes > 0 }.sorted {
            ($0.lastUse, $0.id) < ($1.lastUse, $1.id)
        }
        for shelf in order where left > target {
            left -= shelf.bytes
            chosen.append(shelf.id)
        }
        return chosen
    }
}
