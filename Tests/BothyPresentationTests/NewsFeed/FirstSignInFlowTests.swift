import BothyClient
import BothyPresentation
import Testing

/// Figure 6 of «News feed app»: what happens from the first sign-in on a device to the feed on its screen.
@MainActor @Suite struct FirstSignInFlowTests {
    @Test(.timeLimit(.minutes(2))) func theFirstSignInFillsTheDeviceAndThenTheScreen() async throws {
        let walk = try await FeedWalk()
        try await walk.publish("<p>first</p>", "<p>second</p>")
        // 1: A person signs in. 2: the screen asks its state holder, which has nothing yet.
        let phone = try await walk.signIn("phone")
        let holder = try walk.feed(on: phone)
        #expect(holder.state.standing == .fresh && holder.state.posts.isEmpty)
        // 3: Nor has the device.
        #expect(try await kept(on: phone).isEmpty)
        // 4 to 7: The repository asks the server. 8 and 9: what it says is written down on the device.
        await holder.open()
        #expect(try await kept(on: phone) == ["<p>second</p>", "<p>first</p>"])
        // 10 to 13: What is written down is what the state holder hears, and the screen shows.
        #expect(holder.state.posts.map(\.text.html) == ["<p>second</p>", "<p>first</p>"])
        #expect(holder.state.standing == .shown && holder.state.staleness == nil)
        try await walk.end(phone)
    }

    /// The screen shows what is on the device, and nothing comes to it by the network alone.
    @Test(.timeLimit(.minutes(2))) func whatTheScreenShowsComesFromTheDevice() async throws {
        let walk = try await FeedWalk()
        try await walk.publish("<p>first</p>")
        let phone = try await walk.signIn("phone")
        let holder = try walk.feed(on: phone)
        await holder.open()
        let id = try #require(holder.state.posts.first).id
        // Done on the device alone: the server has not heard of it when it is asked for the feed again.
        var like: Task<Bool, any Error>?
        try await walk.server.withoutAnswers {
            like = Task { try await phone.posts.interact(.liked, with: id) }
            try await FeedWalk.until { try await !phone.feed.operations().isEmpty }
            #expect(try await phone.feed.feed(before: nil, limit: 9).posts.map(\.liked) == [true])
            #expect(try await phone.feed.keptPreview(id)?.preview.liked == false, "as the server said last")
        }
        #expect(try await like?.value == true)
        try await walk.end(phone)
    }

    private func kept(on home: DeviceHome) async throws -> [String] {
        try await home.feed.feed(before: nil, limit: 9).posts.map(\.contentSummary)
    }
}
