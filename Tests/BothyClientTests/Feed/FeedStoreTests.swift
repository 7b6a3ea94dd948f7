import BothyContract
import Testing

@testable import BothyClient

@Suite struct FeedStoreTests {
    private let clock: TestClock
    private let feed: TestFeed
    private let store: FeedStore

    init() throws {
        feed = try TestFeed { operation in FeedAnswer(post: operation.holdsWords ? 77 : nil) }
        (clock, store) = (feed.clock, feed.store)
    }

    private func post(_ id: Int64) -> PostPreview {
        PostPreview(
            entryId: id, postId: id, contentSummary: "<p>\(id)</p>", isCut: false,
            author: AuthorPreview(id: 7, name: "Ann"), createdAt: Timestamp(seconds: id), liked: false,
            bookmarked: false, likeCount: 0, shareCount: 0, attachmentCount: 0)
    }

    private func page(_ ids: [Int64], next: String?) -> FeedApiResponse {
        FeedApiResponse(feed: ids.map(post), paging: PaginationMetadata(next: next, limit: 30))
    }

    private func shown(limit: Int = 30) async throws -> [Int64] {
        try await store.feed(before: nil, limit: limit).posts.map(\.postId)
    }

    @Test func aPageTakesThePlaceOfWhatWasKnownOfItsPart() async throws {
        try await store.apply(page([9, 8, 7], next: "7"), before: nil, settled: [])
        try await store.apply(page([6, 5], next: nil), before: 7, settled: [])
        #expect(try await shown() == [9, 8, 7, 6, 5])
        // 8 was deleted; 10 is new. What is below the page stays.
        try await store.apply(page([10, 9, 7], next: "7"), before: nil, settled: [])
        #expect(try await shown() == [10, 9, 7, 6, 5])
        // The last page says that there is nothing below it.
        try await store.apply(page([10], next: nil), before: nil, settled: [])
        #expect(try await shown() == [10])
    }

    /// What one reads without a connection looked whole, though a day was missing in it.
    @Test func whatIsMissingBetweenTwoVisitsIsAGapUntilItIsFetched() async throws {
        try await store.apply(page([3, 2], next: "2"), before: nil, settled: [])
        try await store.apply(page([9, 8], next: "8"), before: nil, settled: [])
        let torn = try await store.feed(before: nil, limit: 9)
        #expect(torn.posts.map(\.postId) == [9, 8, 3, 2] && torn.gaps == [8: gap("8.8", 3)])
        try await store.apply(page([7, 6], next: "6"), before: 8, settled: [])
        #expect(try await store.feed(before: nil, limit: 9).gaps == [6: gap("6.6", 3)])
        try await store.apply(page([5, 4, 3], next: "3"), before: 6, settled: [])
        let whole = try await store.feed(before: nil, limit: 9)
        #expect(whole.posts.map(\.postId) == [9, 8, 7, 6, 5, 4, 3, 2] && whole.gaps.isEmpty)
    }

    private func gap(_ older: String, _ newer: Int64) -> FeedPage.Gap { FeedPage.Gap(older: older, newer: newer) }

    /// A shared post stands in another place than its number says: the posts above it were asked for from there.
    @Test func anEntryIsFoundByItsPostToo() async throws {
        var shared = page([9, 8], next: nil)
        shared.feed[0].entryId = 12
        try await store.apply(shared, before: nil, settled: [])
        #expect(try await store.entry(9) == 12)
        #expect(try await store.entry(12) == 12)
        #expect(try await store.entry(8) == 8)
        try await store.put([post(7)])
        #expect(try await store.entry(7) == nil, "it is known here, and in no feed")
    }

    @Test func aGapIsFilledFromBelowAsWell() async throws {
        try await store.apply(page([3, 2], next: "2"), before: nil, settled: [])
        try await store.apply(page([12, 11], next: "11"), before: nil, settled: [])
        try await store.apply(rising: page([5, 4], next: "5"), above: 3)
        var torn = try await store.feed(before: nil, limit: 20)
        #expect(torn.posts.map(\.postId) == [12, 11, 5, 4, 3, 2] && torn.gaps == [11: gap("11.11", 5)])
        // Both ends can be gone on from, in any order.
        try await store.apply(page([10, 9], next: "9"), before: 11, settled: [])
        torn = try await store.feed(before: nil, limit: 20)
        #expect(torn.posts.map(\.postId) == [12, 11, 10, 9, 5, 4, 3, 2] && torn.gaps == [9: gap("9.9", 5)])
        try await store.apply(rising: page([9, 8, 7, 6], next: "9"), above: 5)
        let whole = try await store.feed(before: nil, limit: 20)
        #expect(whole.posts.map(\.postId) == Array((2...12).reversed()) && whole.gaps.isEmpty)
    }

    @Test func aPageThatGoesUpToTheNewestClosesEveryGapAboveIt() async throws {
        try await store.apply(page([3], next: "3"), before: nil, settled: [])
        try await store.apply(page([9], next: "9"), before: nil, settled: [])
        // 9 was deleted meanwhile.
        try await store.apply(rising: page([6, 5, 4], next: nil), above: 3)
        let whole = try await store.feed(before: nil, limit: 20)
        #expect(whole.posts.map(\.postId) == [6, 5, 4, 3] && whole.gaps.isEmpty)
    }

    @Test func aPageFromBelowClosesNoGapAboveTheOneThatItFills() async throws {
        for newest in [3, 6, 9] as [Int64] {
            try await store.apply(page([newest], next: "\(newest)"), before: nil, settled: [])
        }
        try await store.apply(rising: page([6, 5, 4], next: "6"), above: 3)
        let torn = try await store.feed(before: nil, limit: 20)
        #expect(torn.posts.map(\.postId) == [9, 6, 5, 4, 3] && torn.gaps == [9: gap("9.9", 6)])
    }

    /// Posts of long ago stood right below the newest ones without a connection, as if there was nothing in between.
    @Test func aPageFromBelowThatJoinsNothingIsNotInTheFeed() async throws {
        let newest = Array((471...500).reversed()) as [Int64]
        try await store.apply(page(newest, next: "471"), before: nil, settled: [])
        try await store.apply(rising: page([105, 104, 103, 102, 101], next: "105"), above: 100)
        let kept = try await store.feed(before: nil, limit: 100)
        #expect(kept.posts.map(\.postId) == newest && kept.gaps.isEmpty)
        #expect(try await store.keptPreview(105)?.isInFeed == false, "the post itself was seen here")
    }

    @Test func aPageFromBelowThatEndsBeforeTheNextPostThatIsKeptIsNotInTheFeed() async throws {
        // Between 3 and 9 there was nothing when they were fetched; by now there is more than a page.
        try await store.apply(page([9, 3], next: "3"), before: nil, settled: [])
        try await store.apply(rising: page([5, 4], next: "5"), above: 3)
        let kept = try await store.feed(before: nil, limit: 9)
        #expect(kept.posts.map(\.postId) == [9, 3] && kept.gaps.isEmpty)
        try await store.apply(rising: page([9, 8, 7, 6, 5, 4], next: "9"), above: 3)
        #expect(try await shown() == [9, 8, 7, 6, 5, 4, 3])
    }

    @Test func whatHadComeIsKnownWithoutAConnectionToo() async throws {
        var newest = page([2], next: "2")
        newest.arrival = "a"
        try await store.apply(newest, before: nil, settled: [])
        newest.arrival = "b"
        try await store.apply(newest, before: 2, settled: [])
        #expect(try await store.feed(before: nil, limit: 9).arrival == "a", "a later page tells nothing of the newest")
        try await feed.replica.removeAll(givingUp: false)
        #expect(try await store.feed(before: nil, limit: 9).arrival == nil)
    }

    private func comments(_ ids: [Int64], next: String?) -> CommentsApiResponse {
        let comments = ids.map {
            Comment(
                commentId: $0, threadId: $0, content: "<p>c</p>", author: AuthorPreview(id: 7, name: "Ann"),
                createdAt: Timestamp(seconds: $0))
        }
        return CommentsApiResponse(comments: comments, paging: PaginationMetadata(next: next, limit: 2))
    }

    @Test func aCommentThatWasDeletedBetweenTwoPagesGoes() async throws {
        try await store.apply(page([1], next: nil), before: nil, settled: [])
        for second in [[3, 4], [4]] as [[Int64]] {
            try await store.apply(comments([1, 2], next: "2"), on: 1, after: nil)
            try await store.apply(comments(second, next: nil), on: 1, after: "2")
            let kept = try await store.comments(on: 1, page: nil).comments
            #expect(kept.map(\.commentId) == [1, 2] + second)
        }
    }

    @Test func aPostThatCameWithAPageBeforeItsAnswerIsShownOnce() async throws {
        let lost = try TestFeed { _ in throw ClientFailure(.offline, "The answer is lost.") }
        _ = try await lost.store.record(
            .publish(NewPostRequest(requestId: "r", content: "<p>a</p>")), requestId: "r")
        _ = try await lost.push()
        var own = page([77], next: nil)
        own.feed[0].requestId = "r"
        try await lost.store.apply(page([1], next: nil), before: nil, settled: [])
        #expect(try await lost.store.feed(before: nil, limit: 9).waiting.count == 1)
        try await lost.store.apply(own, before: nil, settled: [])
        let shown = try await lost.store.feed(before: nil, limit: 9)
        #expect(shown.posts.map(\.postId) == [77] && shown.waiting.isEmpty)
        // It is sent again all the same, and its answer takes it out of the journal.
        #expect(try await lost.store.countOfOpen() == 1)
    }

    @Test func aWrittenPostIsShownAsWaitingUntilAFeedWasAskedForAfterIt() async throws {
        let written = try await store.record(
            .publish(NewPostRequest(requestId: "r", content: "<p>a</p>")), requestId: "r")
        #expect(try await store.feed(before: nil, limit: 9).waiting.map(\.id) == [written.id])
        _ = try await feed.push()
        // A page that was asked for before it was there has it not.
        try await store.apply(page([1], next: nil), before: nil, settled: [])
        #expect(try await store.feed(before: nil, limit: 9).waiting.map(\.isPosted) == [true])
        #expect(try await store.settled() == [written.id])
        try await store.apply(page([2, 1], next: nil), before: nil, settled: [written.id])
        #expect(try await store.feed(before: nil, limit: 9).waiting.isEmpty)
        #expect(try await store.countOfOpen() == 0)
    }

    @Test func anAcknowledgedLikeShowsTheSameWithoutItsOperation() async throws {
        try await store.apply(page([1], next: nil), before: nil, settled: [])
        _ = try await store.record(.interact(post: 1, .liked), requestId: "l")
        let before = try await store.feed(before: nil, limit: 9).posts
        _ = try await feed.push()
        #expect(try await store.operations().isEmpty)
        #expect(try await store.feed(before: nil, limit: 9).posts == before && before.first?.likeCount == 1)
    }

    @Test func whatIsOldGoesOnceThereIsEnough() async throws {
        try await store.apply(page(Array((1...60).reversed()), next: nil), before: nil, settled: [])
        clock.jump(seconds: 16 * 86_400)
        try await store.keepWithinBounds { AboutResponse.Settings() }
        #expect(try await shown(limit: 100).count == 50)
        try await feed.replica.removeAll(givingUp: false)
        #expect(try await shown().isEmpty)
    }
}
