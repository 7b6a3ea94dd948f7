import BothyClient
import BothyPresentation
import Testing

/// Figure 5 of «News feed app»: a press on a post opens it.
@MainActor @Suite struct OpenPostFlowTests {
    @Test(.timeLimit(.minutes(2))) func aPressOnAPostLeadsToItWhole() async throws {
        let walk = try await FeedWalk()
        let words = String(repeating: "word ", count: 100)
        try await walk.publish("<h1>Walk</h1><p>\(words)</p>")
        let (holder, navigator) = (try walk.feed(on: walk.reader), Navigator(at: .feed))
        await holder.open()
        // 1: A person presses what the feed shows of a post, which is its beginning.
        let row = try #require(holder.state.posts.first)
        #expect(row.isCut && row.text.plain.hasSuffix("…"))
        // 2: The screen tells the navigator which.
        navigator.go(to: .post(row.id))
        #expect(navigator.state.current.link == "/posts/\(row.id)" && navigator.state.canGoBack)
        // 3: The page of that post is there, and has all of it.
        let detail = try walk.detail(on: walk.reader)
        await detail.open(row.id)
        #expect(detail.state.post?.id == row.id && detail.state.standing == .shown)
        #expect(detail.state.post?.text.plain == "Walk\n" + words.dropLast())
        navigator.back()
        #expect(navigator.state.current == .feed)
        try await walk.end()
    }
}
