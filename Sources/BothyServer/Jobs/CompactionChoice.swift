/// Which packs are worth rewriting: what lives in them is copied, and all of their room given back.
///
/// Holes give back most of what is dead already. What they cannot: room on a disk that has no holes, room between small
/// blocks that lie close together, and the files themselves, which would grow in number for ever.
enum CompactionChoice {
    /// Dead bytes below which copying the rest is not worth its while.
    static let leastGain: Int64 = 1 << 20
    /// A pack is rewritten when at least one part in so many of its size on the disk is dead.
    static let deadShare: Int64 = 4
    /// A pack is rewritten when at most one part in so many of its length lives, whatever its holes gave back.
    static let liveShare: Int64 = 8

    /// - Parameters:
    ///   - packs: that take no more blocks.
    ///   - occupancy: what lives in each, by its number.
    /// - Returns: their numbers, those first that give back most for what is copied. A pack in which nothing lives is none of
    ///   them: its file goes without a copy.
    static func packs(_ packs: [PackExtent], _ occupancy: [Int64: PackOccupancy]) -> [Int64] {
        packs.compactMap { pack -> (pack: Int64, gain: Double)? in
            guard let live = occupancy[pack.pack], live.bytes > 0, isWorthwhile(pack, live: live.bytes) else {
                return nil
            }
            return (pack.pack, Double(pack.allocatedBytes - live.bytes) / Double(live.bytes))
        }.sorted { ($1.gain, $0.pack) < ($0.gain, $1.pack) }.map(\.pack)
    }

    private static func isWorthwhile(_ pack: PackExtent, live: Int64) -> Bool {
        let dead = pack.allocatedBytes - live
        return dead >= leastGain && dead * deadShare >= pack.allocatedBytes || live * liveShare <= pack.bytes
    }
}
