import BothyContract
import RealServing
import Testing

@testable import BothyClient

/// A search on a device joins what the server finds with what is here.
@Suite struct DevicePostSearchTests {
    private func publish(_ words: String..., by home: DeviceHome) async throws {
        for words in words {
            _ = try await home.posts.publish(NewPostRequest(requestId: nil, content: "<p>\(words)</p>"))
        }
    }

    /// In short: what is found, the newest first.
    private func said(_ page: FeedPage) -> [String] {
        page.waiting.map(\.content).map(plain) + page.posts.map(\.contentSummary).map(plain)
    }

    private func plain(_ html: String) -> String { PostText(html: html).plain }

    @Test func theServersWordHoldsAndWithoutItWhatIsKeptHereIsFound() async throws {
        let server = try await RealServer()
        let ann = try await server.device("ann", register: true, email: "ann@example.org")
        let ben = try await server.device("ben", register: true, email: "ben@example.org")
        try await publish("walk 1 #hut", "walk 2 #hut", "walk 3 #hut", by: ben)
        let found = try await ann.postSearch.posts(having: "walk", after: nil, limit: 9)
        #expect(said(found) == ["walk 3 #hut", "walk 2 #hut", "walk 1 #hut"] && found.source == .server)
        _ = try await ben.posts.delete(found.posts[1].postId)
        try await publish("walk 4", by: ben)
        // It is kept here still, and the server says that it is gone.
        let later = try await ann.postSearch.posts(having: "walk", after: nil, limit: 9)
        #expect(said(later) == ["walk 4", "walk 3 #hut", "walk 1 #hut"] && later.unreached == nil)
        let tagged = try await ann.postSearch.posts(tagged: "Hut", after: nil, limit: 9)
        #expect(said(tagged) == ["walk 3 #hut", "walk 1 #hut"] && tagged.source == .server)
        await server.stop()
        try await publish("walk 5 #hut", "a lake", by: ann)
        let away = try await ann.postSearch.posts(having: "walk", after: nil, limit: 9)
        #expect(said(away) == ["walk 5 #hut", "walk 4", "walk 3 #hut", "walk 2 #hut", "walk 1 #hut"])
        #expect(away.source == .device && away.unreached?.code == .offline)
        let hut = try await ann.postSearch.posts(tagged: "HUT", after: nil, limit: 9)
        #expect(said(hut) == ["walk 5 #hut", "walk 3 #hut", "walk 2 #hut", "walk 1 #hut"] && hut.source == .device)
        try await ann.close()
        try await ben.close()
    }

    @Test func theNextPageIsThereThoughTheConnectionIsNot() async throws {
        let server = try await RealServer()
        let ann = try await server.device("ann", register: true)
        try await publish("walk 1", "walk 2", "walk 3", "walk 4", "walk 5", by: ann)
        func page(after place: String?) async throws -> FeedPage {
            try await ann.postSearch.posts(having: "wal", after: place, limit: 2)
        }
        _ = try await ann.posts.feed(after: nil, limit: 9)
        let first = try await page(after: nil)
        let second = try await page(after: first.next)
        #expect(said(first) + said(second) == ["walk 5", "walk 4", "walk 3", "walk 2"] && second.source == .server)
        await server.stop()
        let below = try await page(after: first.next)
        #expect(said(below) == ["walk 3", "walk 2"] && below.source == .device && below.unreached != nil)
        let last = try await page(after: below.next)
        #expect(said(last) == ["walk 1"] && last.source == .device && last.unreached?.code == .offline)
        // The server has more, as far as is known here.
        let end = try await page(after: last.next)
        #expect(end.posts.isEmpty && end.next == last.next && end.unreached?.code == .offline)
        // Of a place that says nothing of this device, the server alone knows.
        await #expect(throws: ClientFailure.self) { try await page(after: "elsewhere") }
        try await ann.close()
    }

    @Test func whatWaitsWhileTheServerIsAskedIsFoundOnce() async throws {
        let feed = try TestFeed { FeedAnswer(post: $0.requestId == "r" ? 77 : 78) }
        let search = try #require(PostMatch.typed("walk"))
        let request = NewPostRequest(requestId: "r", content: "<p>a walk</p>")
        let written = try await feed.store.record(.publish(request), requestId: "r")
        _ = try await feed.store.record(
            .publish(NewPostRequest(requestId: "s", content: "<p>a lake</p>")), requestId: "s")
        func findings() async throws -> PostFindings {
            try await feed.store.findings(of: search, after: nil, limit: 9, isAsked: false)
        }
        #expect(try await findings().waiting.map(\.post.id) == [written.id])
        _ = try await feed.push()
        // The server has it; it is not kept here yet.
        #expect(try await findings().waiting.map(\.post.isPosted) == [true])
        var own = PostPreview(
            entryId: 77, postId: 77, contentSummary: "<p>a walk</p>", isCut: false,
            author: AuthorPreview(id: 7, name: "Ann"), createdAt: Timestamp(seconds: 77), liked: false,
            bookmarked: false, likeCount: 0, shareCount: 0, attachmentCount: 0)
        own.requestId = "r"
        try await feed.store.put([own])
        let found = try await findings()
        #expect(found.waiting.isEmpty && found.kept.map(\.postId) == [77])
    }
}
