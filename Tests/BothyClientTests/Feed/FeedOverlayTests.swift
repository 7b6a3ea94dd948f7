import BothyClient
import BothyContract
import Testing

@Suite struct FeedOverlayTests {
    private static func preview(_ id: Int64, liked: Bool = false, likes: Int = 0) -> PostPreview {
        PostPreview(
            entryId: id, postId: id, contentSummary: "<p>\(id)</p>", isCut: false,
            author: AuthorPreview(id: 7, name: "Ann"), createdAt: Timestamp(seconds: id), liked: liked,
            bookmarked: false, likeCount: likes, shareCount: 0, attachmentCount: 0)
    }

    private static func operation(
        _ id: Int64, _ deed: FeedDeed, _ state: JournalOperation.State = .queued
    ) -> FeedOperation {
        FeedOperation(
            id: id, requestId: "r\(id)", action: deed.action, subject: LUID(100), postId: deed.post, state: state,
            createdAt: Timestamp(seconds: id))
    }

    /// The law of the view: what was done here over what the server said shows the same as having it done there, and asking.
    @Test func whatWaitsShowsWhatTheServerWillSay() {
        let all = PostInteraction.allCases
        for seed in 0..<2_000 {
            var random = SeededRandom(UInt64(seed))
            let others = random.below(5)
            var mine = (
                liked: random.below(2) == 0, bookmarked: random.below(2) == 0, shared: random.below(2) == 0
            )
            var known = Self.preview(1, liked: mine.liked, likes: others + (mine.liked ? 1 : 0))
            known.bookmarked = mine.bookmarked
            (known.shared, known.shareCount) = (mine.shared, others + (mine.shared ? 1 : 0))
            var operations = [FeedOperation]()
            for id in 0..<random.below(8) {
                let interaction = all[random.below(all.count)]
                operations.append(Self.operation(Int64(id), .interact(post: 1, interaction)))
                switch interaction {
                case .liked: mine.liked = true
                case .removedLike: mine.liked = false
                case .bookmarked: mine.bookmarked = true
                case .removedBookmark: mine.bookmarked = false
                case .shared: mine.shared = true
                case .removedShare: mine.shared = false
                }
            }
            let shown = FeedOverlay(operations).applied(to: known)
            #expect(shown?.liked == mine.liked && shown?.bookmarked == mine.bookmarked)
            #expect(shown?.likeCount == others + (mine.liked ? 1 : 0))
            #expect(shown?.shared == mine.shared && shown?.shareCount == others + (mine.shared ? 1 : 0))
        }
    }

    @Test func whatWasDeletedHereIsNotShownAndWhatWasRefusedIs() {
        let post = Self.preview(1)
        #expect(FeedOverlay([Self.operation(1, .delete(post: 1))]).applied(to: post) == nil)
        #expect(FeedOverlay([Self.operation(1, .delete(post: 2))]).applied(to: post) == post)
        #expect(FeedOverlay([Self.operation(1, .interact(post: 1, .liked), .parked)]).applied(to: post) == post)
    }
}

@Suite struct PostEvictionTests {
    private static let day: Int64 = 86_400

    @Test func theOldGoAndTheRestGoesByLastUse() {
        let rule = PostEviction(lifetime: 15 * Self.day, minimum: 1, room: 250)
        let posts = [
            PostEviction.Kept(id: 1, fetched: 0, used: 0, bytes: 100),
            .init(id: 2, fetched: 19 * Self.day, used: 19 * Self.day, bytes: 100),
            .init(id: 3, fetched: 18 * Self.day, used: 18 * Self.day, bytes: 100),
            .init(id: 4, fetched: 20 * Self.day, used: 20 * Self.day, bytes: 100),
        ]
        #expect(rule.evicted(posts, now: 20 * Self.day) == [1, 3])
    }

    @Test func someAlwaysStayAndNothingGoesWithoutAReason() {
        for seed in 0..<1_000 {
            var random = SeededRandom(UInt64(seed))
            let now = Int64(random.below(40)) * Self.day
            let posts = (0..<Int64(random.below(60))).map { id in
                let fetched = min(now, Int64(random.below(40)) * Self.day)
                return PostEviction.Kept(id: id, fetched: fetched, used: fetched, bytes: Int64(random.below(500)))
            }
            let rule = PostEviction(lifetime: 15 * Self.day, minimum: 20, room: 4_000)
            let evicted = Set(rule.evicted(posts, now: now))
            let left = posts.filter { !evicted.contains($0.id) }
            #expect(left.count >= min(20, posts.count))
            let isOver = posts.reduce(0) { $0 + $1.bytes } > rule.room
            if !isOver {
                #expect(posts.filter { evicted.contains($0.id) }.allSatisfy { now - $0.fetched > rule.lifetime })
            }
            if left.count > 20 { #expect(left.reduce(0) { $0 + $1.bytes } <= rule.room) }
        }
    }
}
