import BothyClient
import BothyContract
import BothyPresentation
import Synchronization
import Testing

@MainActor @Suite struct PostTrashStateHolderTests {
    private let trash = MadeUpPostTrash()

    private func holder() -> PostTrashStateHolder {
        PostTrashStateHolder(trash, words: .english, clock: .atNoon)
    }

    @Test func eachSaysWhatItSaidAndWhenItWasDeleted() async {
        trash.put(5, "<h1>Walk</h1><p>up</p>", attachments: 2)
        trash.put(6, "", attachments: 0)
        let holder = holder()
        await holder.open()
        #expect(holder.state.posts.map(\.beginning) == ["Nothing written yet", "Walk up"])
        #expect(holder.state.posts.map(\.attachments) == [nil, "2 pictures or videos"])
        #expect(holder.state.posts[0].deleted == "Deleted 24 Dec 2026, 18:00" && !holder.state.isEmpty)
    }

    @Test func aPostIsRestoredOrDeletedForGoodAndOneThatIsGoneIsSaid() async {
        trash.put(5, "<p>a</p>", attachments: 0)
        trash.put(6, "<p>b</p>", attachments: 0)
        let holder = holder()
        #expect(await holder.restore(5))
        #expect(holder.state.notice == Notice("The post was restored."))
        await holder.deleteForGood(6)
        #expect(holder.state.notice == Notice("The post was deleted for good."))
        #expect(await !holder.restore(6))
        #expect(holder.state.notice?.tone == .failure)
        await holder.open()
        #expect(holder.state.isEmpty)
    }

    @Test func withoutAnAnswerItSaysWhy() async {
        trash.fail(with: ClientFailure(.offline, "Nobody answers."))
        let holder = holder()
        await holder.open()
        guard case .failed = holder.state.standing else { return _ = Issue.record("shown") }
        #expect(await !holder.restore(5))
        #expect(holder.state.notice?.tone == .failure)
    }
}

/// Deleted posts, in memory.
private final class MadeUpPostTrash: PostTrashRepository, Sendable {
    private let state = Mutex<(posts: [Int64: TrashedPost], failure: ClientFailure?)>(([:], nil))

    func put(_ id: Int64, _ content: String, attachments: Int) {
        let post = PostPreview(
            entryId: id, postId: id, contentSummary: content, isCut: false, author: AuthorPreview(id: 7, name: "You"),
            createdAt: Timestamp(seconds: id), liked: false, bookmarked: false, likeCount: 0, shareCount: 0,
            attachmentCount: attachments)
        let deletedAt = Timestamp(rfc3339: "2026-12-24T18:00:00Z") ?? Timestamp(seconds: 0)
        state.withLock { $0.posts[id] = TrashedPost(post: post, deletedAt: deletedAt) }
    }

    func fail(with failure: ClientFailure) { state.withLock { $0.failure = failure } }

    private func look<Value: Sendable>(_ body: (inout [Int64: TrashedPost]) throws -> Value) throws -> Value {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            return try body(&state.posts)
        }
    }

    func page(after place: String?, limit: Int) async throws -> TrashedPostsResponse {
        let posts = try look { $0.values.sorted { $0.post.postId > $1.post.postId } }
        return TrashedPostsResponse(posts: posts, paging: PaginationMetadata(next: nil, limit: limit))
    }

    func restore(_ id: Int64) async throws {
        try look { posts in
            guard posts.removeValue(forKey: id) != nil else { throw ClientFailure(.notFound, "Gone.") }
        }
    }

    func deleteForGood(_ id: Int64) async throws { try await restore(id) }
}
