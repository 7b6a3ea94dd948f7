import BothyClient
import BothyContract
import BothyServer
import FolderConformance
import Testing

@Suite struct HostedPostsTests {
    @Test func theServersOwnFeedIsWhatADevicesIs() async throws {
        let ann = try await HostedWorld.open()
        let ben = try await ann.another()
        func side(_ world: HostedWorld) -> PostsConformance.Side {
            PostsConformance.Side(you: world.account.user.id, posts: world.account.posts, people: world.account.people)
        }
        try await PostsConformance(side(ann), side(ben)).run()
        try await ann.close()
    }

    /// What a request came to is forgotten after 30 days; a post tells for as long as it is there.
    @Test func aRequestThatComesAgainAfterAMonthMakesNoSecondPost() async throws {
        let world = try await HostedWorld.open()
        let posts = world.account.posts
        let request = NewPostRequest(requestId: "one", content: "<p>a</p>")
        _ = try await posts.publish(request)
        try await world.services.database.write { _ = try $0.execute("DELETE FROM outcomes") }
        _ = try await posts.publish(request)
        #expect(try await posts.feed(after: nil, limit: 9).posts.count == 1)
        try await world.services.database.write { _ = try $0.execute("DELETE FROM outcomes") }
        await #expect(throws: ClientFailure.self) {
            try await posts.publish(NewPostRequest(requestId: "one", content: "<p>b</p>"))
        }
        try await world.close()
    }
}
