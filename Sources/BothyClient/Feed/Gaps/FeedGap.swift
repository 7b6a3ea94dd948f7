/// A place in the feed as it is kept here below which posts may be missing: what was fetched above it did not reach what is kept below.
struct FeedGap: Equatable, Sendable {
    /// The entry above it.
    var entry: Int64
    /// What the server calls the place behind that entry.
    var remote: String
    /// The newest entry that is kept below it; nil where none is.
    var below: Int64?

    /// A part of the feed that was fetched, from what is newer than it to its end.
    struct Fetched {
        /// It has the entries below this one; nil where it begins at the newest.
        var before: Int64?
        /// Its last entry.
        var end: Int64
        /// What the server calls the place behind its end; nil where there is nothing.
        var next: String?
    }

    /// Whether a part that was fetched leaves a gap below it.
    ///
    /// - Parameters:
    ///   - lowest: the lowest entry that was kept of this part before; nil for none.
    ///   - gaps: entries with a gap below them, as they were before.
    ///   - hasOlder: entries are kept below its end.
    static func left(by part: Fetched, lowest: Int64?, gaps: Set<Int64>, hasOlder: Bool) -> FeedGap? {
        guard let next = part.next, hasOlder else { return nil }
        // What was kept goes on without a gap from the lowest entry that both have, or from the one that the part follows.
        let isJoined = (lowest ?? part.before).map { !gaps.contains($0) } ?? false
        return isJoined ? nil : FeedGap(entry: part.end, remote: next)
    }

    /// Whether the page that is next above an entry goes on, without a gap that nobody is told of, from what is kept below it to what is
    /// kept above it.
    ///
    /// - Parameters:
    ///   - top: the newest entry of the page; `Int64.max` for one that goes up to the newest of all.
    ///   - entry: where the page was asked for.
    ///   - isKept: that entry is kept here.
    ///   - next: the next entry above it that is kept; nil for none.
    ///   - gaps: entries with a gap below them.
    static func isJoined(rising top: Int64, above entry: Int64, isKept: Bool, next: Int64?, gaps: Set<Int64>) -> Bool {
        guard isKept else { return false }
        guard let next, top < next else { return true }
        return gaps.contains { $0 > top && $0 <= next }
    }

    /// Gaps by the post that stands above each on a screen: the one of its entry may not be shown any more.
    ///
    /// - Parameter shown: entries with their posts, the newest first.
    static func placed(_ gaps: [FeedGap], among shown: [(entry: Int64, post: Int64)]) -> [Int64: FeedPage.Gap] {
        gaps.reduce(into: [:]) { places, gap in
            guard let above = shown.last(where: { $0.entry >= gap.entry }) else { return }
            places[above.post] = FeedPage.Gap(
                older: FeedPlace(entry: gap.entry, remote: gap.remote).text, newer: gap.below)
        }
    }
}
