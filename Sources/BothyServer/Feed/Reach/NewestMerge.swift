/// The newest of what many series have, each of which is ordered and says its newest: no more is read of any than may be among these.
///
/// It is a k-way merge that stops early: once there are enough, a series whose newest is older than all of them has nothing to add,
/// and neither has any after it.
struct NewestMerge<Series> {
    struct Head {
        var series: Series
        /// The place of its newest entry.
        var newest: Int64
    }

    /// - Parameters:
    ///   - limit: how many are wanted.
    ///   - read: at most so many of a series, the newest first, of those after a place.
    /// - Returns: the newest first; and whether there are more.
    static func newest(
        _ limit: Int, of heads: [Head], read: (Series, _ after: Int64, _ limit: Int) throws -> [FeedEntry]
    ) rethrows -> (entries: [FeedEntry], isCut: Bool) {
        var taken: [FeedEntry] = []
        for head in heads.sorted(by: { $0.newest > $1.newest }) {
            let after = taken.count > limit ? taken[limit].entryId : .min
            if head.newest <= after { break }
            taken = merged(taken, try read(head.series, after, limit + 1), upTo: limit + 1)
        }
        return (Array(taken.prefix(limit)), taken.count > limit)
    }

    private static func merged(_ one: [FeedEntry], _ other: [FeedEntry], upTo most: Int) -> [FeedEntry] {
        var merged: [FeedEntry] = []
        var (first, second) = (one[...], other[...])
        while merged.count < most {
            if let a = first.first, a.entryId > second.first?.entryId ?? .min {
                merged.append(a)
                first.removeFirst()
            } else if let b = second.popFirst() {
                merged.append(b)
            } else {
                break
            }
        }
        return merged
    }
}
