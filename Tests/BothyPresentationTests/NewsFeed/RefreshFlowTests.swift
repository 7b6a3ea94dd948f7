import BothyClient
import BothyPresentation
import Testing

/// «If the user attempts to refresh their feed while offline», of «News feed app».
@MainActor @Suite struct RefreshFlowTests {
    @Test(.timeLimit(.minutes(2))) func aRefreshWithoutAConnectionSaysSoAndKeepsWhatIsShown() async throws {
        let walk = try await FeedWalk()
        try await walk.publish("<p>first</p>", "<p>second</p>")
        let holder = try walk.feed(on: walk.reader)
        await holder.open()
        let (shown, place) = (holder.state.posts, holder.state.standing)
        #expect(shown.count == 2 && holder.state.staleness == nil)
        await walk.server.stop()
        // 1 and 2: The repository asks the server, and nobody answers.
        let page = try await walk.reader.posts.feed(after: nil, limit: 9)
        #expect(page.unreached?.code == .offline && page.posts.count == 2)
        // 3: The state holder hears of it. 4: The screen says so.
        await holder.open()
        #expect(holder.state.staleness == "There is no connection: these are the last posts that this device knows.")
        // 5: What was shown is shown.
        #expect(holder.state.posts == shown && holder.state.standing == place)
        try await walk.end()
    }
}
