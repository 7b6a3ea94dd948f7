import BothyClient
import BothyContract
import BothyPresentation
import Testing

@MainActor @Suite struct FoundPostsStateHolderTests {
    private func holder(_ walk: FeedWalk) -> FoundPostsStateHolder {
        FoundPostsStateHolder(
            walk.reader.postSearch, you: 1, words: .english,
            clock: PersonsClock(now: Timestamp(seconds: 86_399), zone: .gmt))
    }

    private let alone = "There is no connection: these are only the posts that are kept on this device."

    @Test(.timeLimit(.minutes(2))) func whatIsFoundSaysWhoFoundItAndWhatWaitsIsThereToo() async throws {
        let walk = try await FeedWalk()
        try await walk.publish("<p>walk 1 #hut</p>", "<p>walk 2 #hut</p>")
        for query in [PostQuery.words("wal"), .words("#hut"), .tag("hut")] {
            let holder = holder(walk)
            await holder.open(query)
            #expect(holder.state.posts.map(\.whereabouts) == ["On the server", "On the server"])
            #expect(holder.state.staleness == nil && holder.state.waiting.isEmpty)
        }
        await walk.server.stop()
        _ = try await walk.reader.posts.publish(NewPostRequest(requestId: nil, content: "<p>walk 3 #hut</p>"))
        for query in [PostQuery.words("wal"), .words("#hut"), .tag("hut")] {
            let holder = holder(walk)
            await holder.open(query)
            #expect(holder.state.posts.map(\.text.plain) == ["walk 2 #hut", "walk 1 #hut"])
            #expect(holder.state.posts.map(\.whereabouts) == ["On this device", "On this device"])
            #expect(holder.state.waiting.map(\.text.plain) == ["walk 3 #hut"])
            #expect(holder.state.waiting.map(\.whereabouts) == ["On this device"])
            #expect(holder.state.staleness == alone && !holder.state.isEmpty)
        }
        let nothing = holder(walk)
        await nothing.open(.words("nowhere"))
        #expect(nothing.state.isEmpty && nothing.state.staleness == alone)
        let wordless = holder(walk)
        await wordless.open(.words("…"))
        #expect(wordless.state.isEmpty)
        try await walk.end()
    }
}
