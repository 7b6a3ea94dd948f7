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
        _ id: Int64, _ action: FeedOperation.Action, _ state: FeedOperation.State = .pending
    ) -> FeedOperation {
        FeedOperation(id: id, requestId: "r\(id)", action: action, state: state, createdAt: Timestamp(seconds: id))
    }

    /// The law of the view: what was done here over what the server said shows the same as having it done there, and asking.
    @Test func whatWaitsShowsWhatTheServerWillSay() {
        let all = PostInteraction.allCases
        for seed in 0..<2_000 {
            var random = SeededRandom(UInt64(seed))
            let others = random.below(5)
            var mine = (liked: random.below(2) == 0, bookmarked: random.below(2) == 0)
            var known = Self.preview(1, liked: mine.liked, likes: others + (mine.liked ? 1 : 0))
            known.bookmarked = mine.bookmarked
            var operations = [FeedOperation]()
            for id in 0..<random.below(8) {
                let interaction = all[random.below(all.count)]
                operations.append(Self.operation(Int64(id), .interact(post: 1, interaction)))
                switch interaction {
                case .liked: mine.liked = true
                case .removedLike: mine.liked = false
                case .bookmarked: mine.bookmarked = true
                case .removedBookmark: mine.bookmarked = false
                case .shared: break
                }
            }
            let shown = FeedOverlay(operations).applied(to: known)
            #expect(shown?.liked == mine.liked && shown?.bookmarked == mine.bookmarked)
            #expect(shown?.likeCount == others + (mine.liked ? 1 : 0))
        }
    }

    @Test func whatWasDeletedHereIsNotShownAndWhatWasRefusedIs() {
        let post = Self.preview(1)
        #expect(FeedOverlay([Self.operation(1, .delete(post: 1))]).applied(to: post) == nil)
        #expect(FeedOverlay([Self.operation(1, .delete(post: 2))]).applied(to: post) == post)
        #expect(FeedOverlay([Self.operation(1, .interact(post: 1, .liked), .refused)]).applied(to: post) == post)
    }
}

@Suite struct FeedMachineTests {
    private let now = Timestamp(seconds: 1_000)
    private let like = FeedOperation(
        id: 1, requestId: "r", action: .interact(post: 1, .liked), createdAt: Timestamp(seconds: 1))
    private let post = FeedOperation(
        id: 2, requestId: "q", action: .publish(NewPostRequest(requestId: "q", content: "<p>a</p>")),
        createdAt: Timestamp(seconds: 1))

    private func verdict(_ failure: ClientFailure, _ operation: FeedOperation) -> FeedMachine.Verdict {
        FeedMachine.verdict(on: failure, of: operation, now: now, chance: 0.5)
    }

    @Test func beingOfflineIsNoFailureAndCostsNoAttempt() {
        for code in [FailureCode.offline, .serverBusy, .signInNeeded, .untrustedServer, .redirected] {
            #expect(verdict(ClientFailure(code, "No."), like) == .held)
        }
    }

    @Test func whatIsRefusedForGoodIsDroppedUnlessItHoldsWords() {
        let gone = ClientFailure(.notFound, "Gone.")
        #expect(verdict(gone, like) == .dropped)
        guard case .refused(let refused) = verdict(gone, post) else { return _ = Issue.record("not refused") }
        #expect(refused.state == .refused && refused.lastError == gone && refused.nextAttemptAt == nil)
    }

    /// Whatever fails: of one post, nothing goes before what was done earlier, and what has not failed waits for no other post.
    @Test func theNextOneKeepsTheOrderOfEachPost() {
        for seed in 0..<2_000 {
            var random = SeededRandom(UInt64(seed))
            let pending = (0..<Int64(1 + random.below(8))).map { id in
                let post = Int64(random.below(3))
                let action: FeedOperation.Action =
                    post == 0 ? .publish(NewPostRequest(requestId: nil, content: "a")) : .interact(post: post, .liked)
                return FeedOperation(
                    id: id, requestId: "r\(id)", action: action, attempts: random.below(2) * FeedMachine.patience,
                    createdAt: now)
            }
            guard let next = FeedMachine.next(of: pending) else { return _ = Issue.record("nothing is next") }
            let earlier = pending.filter { $0.id < next.id }
            #expect(earlier.allSatisfy { $0.post == nil || $0.post != next.post })
            let isFree = { (one: FeedOperation) in
                one.attempts < FeedMachine.patience
                    && !pending.contains { $0.id < one.id && $0.post != nil && $0.post == one.post }
            }
            #expect(next.id == pending.first(where: isFree)?.id ?? 0)
        }
        #expect(FeedMachine.next(of: []) == nil)
    }

    @Test func whatHoldsNoWordsIsTriedForAsLongAsItMayPass() {
        var operation = like
        for _ in 0..<20 {
            guard case .again(let later) = verdict(ClientFailure(.serverFailed, "No."), operation) else {
                return _ = Issue.record("dropped by what may pass")
            }
            operation = later
        }
    }

    /// A disk that failed five times had a post refused, though the server had not been asked.
    @Test(arguments: [FailureCode.homeBusy, .homeUnusable, .diskFull, .diskFailed])
    func thisDevicesOwnTroubleCostsNoAttempt(_ code: FailureCode) {
        for operation in [like, post] {
            guard case .again(let later) = verdict(ClientFailure(code, "No."), operation) else {
                return _ = Issue.record("not tried again")
            }
            #expect(later.attempts == 0 && later.nextAttemptAt.map { $0 > now } == true)
        }
    }

    @Test func whatMayPassIsTriedAgainLaterAndNotForEver() {
        var operation = post
        for attempt in 1..<FeedMachine.patience {
            guard case .again(let later) = verdict(ClientFailure(.serverFailed, "No."), operation) else {
                return _ = Issue.record("not tried again after \(attempt)")
            }
            #expect(later.attempts == attempt && later.state == .pending)
            #expect(later.nextAttemptAt.map { $0 > now } == true)
            operation = later
        }
        guard case .refused = verdict(ClientFailure(.serverFailed, "No."), operation) else {
            return _ = Issue.record("tried for ever")
        }
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
