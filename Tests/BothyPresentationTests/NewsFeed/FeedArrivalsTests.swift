import BothyClient
import BothyContract
import BothyPresentation
import Testing

@MainActor @Suite struct FeedArrivalsTests {
    private let posts = MadeUpPosts()

    private func arrivals(since: String?) -> FeedArrivals { FeedArrivals(posts, since: since, words: .english) }

    @Test func whatCameIsSaidAsANumber() async {
        let arrivals = arrivals(since: "page")
        for (count, hasMore, said) in [
            (0, false, nil), (1, false, "1 new post"), (3, false, "3 new posts"), (20, true, "20+ new posts"),
        ]
            as [(Int, Bool, String?)]
        {
            posts.arrive(FeedArrivalsResponse(count: count, hasMore: hasMore, arrival: "later"))
            await arrivals.look()
            #expect(arrivals.said == said)
        }
        #expect(Set(posts.done) == ["arrivals page"], "it counts from what the page shows, however often it looks")
    }

    @Test func aPageWithoutPostsCountsFromTheFirstLook() async {
        let arrivals = arrivals(since: nil)
        posts.arrive(FeedArrivalsResponse(count: 0, hasMore: false, arrival: "first"))
        await arrivals.look()
        await arrivals.look()
        #expect(posts.done == ["arrivals ", "arrivals first"])
    }

    @Test func withoutAnAnswerWhatWasCountedStillWaits() async {
        let arrivals = arrivals(since: "page")
        posts.arrive(FeedArrivalsResponse(count: 2, hasMore: false, arrival: "later"))
        await arrivals.look()
        posts.fail(with: ClientFailure(.offline, "Nobody answers."))
        await arrivals.look()
        #expect(arrivals.said == "2 new posts")
    }

    @Test func afterARestoreItSaysNoNumberThatNobodyKnows() async {
        let arrivals = arrivals(since: "page")
        posts.fail(with: ClientFailure(Problem(.cursorExpired, "Another life.")))
        await arrivals.look()
        #expect(arrivals.said == "There are new posts: show them")
    }
}
