import BothyClient
import BothyContract
import BothyPresentation
import Synchronization
import Testing

/// A feed that is what a test says.
private final class MadeUpPosts: PostsRepository {
    private struct State {
        var page = FeedPage(posts: [])
        var done = [String]()
        var failure: ClientFailure?
        var look: (@Sendable () async -> Bool)?
        var seen = [Bool]()
    }

    private let state = Mutex(State())

    var done: [String] { state.withLock { $0.done } }
    /// What a screen showed while something was done.
    var seen: [Bool] { state.withLock { $0.seen } }
    func whileActing(_ look: @escaping @Sendable () async -> Bool) { state.withLock { $0.look = look } }
    func show(_ page: FeedPage) { state.withLock { $0.page = page } }
    func fail(with failure: ClientFailure?) { state.withLock { $0.failure = failure } }

    private func act(_ deed: String) throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.done.append(deed)
        }
    }

    func feed(after place: String?, limit: Int) async throws -> FeedPage {
        try act("feed \(place ?? "")")
        return state.withLock { $0.page }
    }
    func posts(of person: Int64, after place: String?, limit: Int) async throws -> FeedPage {
        try act("posts of \(person)")
        return state.withLock { $0.page }
    }
    func bookmarks(after place: String?, limit: Int) async throws -> FeedPage {
        try act("bookmarks \(place ?? "")")
        return state.withLock { $0.page }
    }
    func post(_ id: Int64) async throws -> ReadPost { throw ClientFailure(.notFound, "Gone.") }
    func media(_ id: Int64?, of post: Int64, _ quality: MediaQuality?) async throws -> ContentPlace { .address("/") }
    func interact(_ interaction: PostInteraction, with id: Int64) async throws -> Bool {
        if let look = state.withLock({ $0.look }) {
            let isLiked = await look()
            state.withLock { $0.seen.append(isLiked) }
        }
        try act("\(interaction.rawValue) \(id)")
        return true
    }
    func publish(_ request: NewPostRequest) async throws -> Bool {
        try act(request.content)
        return false
    }
    func edit(_ id: Int64, _ request: EditPostRequest) async throws -> PostDetail {
        throw ClientFailure(.notFound, "Gone.")
    }
    func history(of id: Int64) async throws -> [PostVersion] { throw ClientFailure(.notFound, "Gone.") }
    func delete(_ id: Int64) async throws -> Bool {
        try act("delete \(id)")
        return false
    }
    func comments(on post: Int64, after place: String?, limit: Int) async throws -> CommentPage {
        CommentPage(comments: [])
    }
    func comment(_ request: NewCommentRequest, on post: Int64) async throws -> Bool {
        try act("comment \(request.content) on \(post)")
        return true
    }
    func deleteComment(_ id: Int64, on post: Int64) async throws -> Bool {
        try act("delete comment \(id) on \(post)")
        return true
    }
    func tryAgain(_ waiting: WaitingPost.ID) async throws { try act("again \(waiting)") }
    func rewrite(_ waiting: WaitingPost.ID, content: String) async throws { try act("rewrite \(waiting)") }
    func discard(_ waiting: WaitingPost.ID) async throws { try act("discard \(waiting)") }
    func attachable(_ id: ItemID) async throws -> AttachableFile {
        throw ClientFailure(.refused, "“\(id)” is no picture and no video.")
    }
}

@MainActor @Suite struct NewsFeedStateHolderTests {
    private let posts = MadeUpPosts()
    private let clock = PersonsClock(now: Timestamp(seconds: 86_399), zone: .gmt)

    private func holder() -> NewsFeedStateHolder {
        NewsFeedStateHolder(posts, you: 7, words: .english, clock: clock)
    }

    private func preview(_ id: Int64) -> PostPreview {
        PostPreview(
            entryId: id, postId: id, contentSummary: "<p>a</p>", isCut: true,
            author: AuthorPreview(id: 8, name: "Ann\u{202E}"), createdAt: Timestamp(seconds: 86_000), liked: true,
            bookmarked: false, likeCount: 1_234, shareCount: 1, attachmentCount: 2, attachmentPreviewImageUrl: "u",
            sharedBy: AuthorPreview(id: 7, name: "You"), attachmentPreviewWidth: 4_000, attachmentPreviewHeight: 3_000)
    }

    @Test func aPostSaysWhoWroteItAndWhatPeopleDidWithIt() async throws {
        posts.show(FeedPage(posts: [preview(1)], next: "n"))
        let holder = holder()
        await holder.open()
        let row = try #require(holder.state.posts.first)
        #expect(row.author.name == "Ann⟨U+202E⟩" && row.author.face.text == "A" && !row.author.isYou)
        #expect(
            row.shared == "You shared this" && row.date == "6 min" && row.moment == "1 Jan 1970, 23:53" && row.isCut
                && row.hasPicture)
        #expect(row.room?.width == 960 && row.room?.height == 720 && row.room?.placeholder == nil)
        #expect(row.marks.likes == "1,234 people like it" && row.marks.shares == "1 person shared it")
        #expect(row.attachments == "2 pictures or videos" && row.text.plain == "a" && holder.state.next == "n")
    }

    @Test func withoutAConnectionItSaysSoAndShowsWhatIsKnown() async {
        posts.show(
            FeedPage(
                posts: [preview(1)],
                waiting: [
                    WaitingPost(id: 3, content: "<p>b</p>", attachmentCount: 0, writtenAt: Timestamp(seconds: 0)),
                    WaitingPost(
                        id: 2, content: "<p>c</p>", attachmentCount: 1, writtenAt: Timestamp(seconds: 0),
                        refusal: ClientFailure(.refused, "No.")),
                ], unreached: ClientFailure(.offline, "Nobody answers.")))
        let holder = holder()
        await holder.open()
        #expect(holder.state.staleness == "There is no connection: this is what was known here.")
        #expect(holder.state.waiting.map(\.isRefused) == [false, true])
        #expect(holder.state.waiting[0].standing == "Waiting to be posted")
        #expect(holder.state.waiting[1].standing.hasPrefix("Not posted: "))
        await holder.tryAgain(2)
        await holder.discard(3)
        #expect(posts.done.suffix(2) == ["again 2", "discard 3"] && holder.state.notice?.text == "It was discarded.")
    }

    @Test func whatCannotBeShownAtAllSaysWhy() async {
        posts.fail(with: ClientFailure(.offline, "Nobody answers."))
        let holder = holder()
        await holder.open()
        guard case .failed = holder.state.standing else { return _ = Issue.record("shown") }
        await holder.interact(.liked, with: 1)
        #expect(holder.state.notice?.tone == .failure)
    }

    @Test func aLikeShowsBeforeAnybodyHasAnsweredAndIsTakenBackWhereItIsRefused() async throws {
        posts.show(FeedPage(posts: [preview(1)]))
        let holder = holder()
        await holder.open()
        posts.whileActing { @MainActor in holder.state.posts[0].marks.liked }
        await holder.interact(.removedLike, with: 1)
        #expect(posts.seen.first == false, "it is shown while the answer is waited for")
        #expect(!holder.state.posts[0].marks.liked && holder.state.posts[0].marks.likes == "1,233 people like it")
        posts.fail(with: ClientFailure(.refused, "No."))
        await holder.interact(.liked, with: 1)
        #expect(!holder.state.posts[0].marks.liked && holder.state.notice?.tone == .failure)
    }

    @Test func anEmptyFeedIsToldFromOneThatWaits() async {
        let holder = holder()
        await holder.open()
        #expect(holder.state.isEmpty)
        await holder.open(after: "n")
        #expect(!holder.state.isEmpty)
    }

    @Test func aPostIsWrittenOnceAndWhatIsNoPictureIsSaid() async {
        let holder = CreatePostStateHolder(
            posts, drafts: MadeUpDrafts(), words: .english, clock: .atNoon, newDraftId: { 5 })
        await holder.publish(.markdown("  "))
        #expect(holder.state.notice?.tone == .failure && posts.done.isEmpty && !holder.state.isPublished)
        await holder.attach([ItemID("x")])
        #expect(holder.state.attached.isEmpty && holder.state.notice?.tone == .failure)
        await holder.publish(.markdown("**a**"))
        #expect(posts.done.isEmpty && holder.state.notice?.tone == .failure, "not without what was to be seen")
        await holder.publish(.markdown("**a**"))
        #expect(posts.done == ["<p><strong>a</strong></p>"] && holder.state.isPublished)
        #expect(holder.state.notice?.text == "It will be posted when there is a connection.")
    }

    @Test func aPostThatIsGoneSaysSo() async {
        let holder = PostDetailStateHolder(posts, you: 7, words: .english, clock: clock)
        await holder.open(1)
        guard case .gone = holder.state.standing else { return _ = Issue.record("shown") }
        await holder.delete(1)
        #expect(holder.state.standing == .deleted && posts.done == ["delete 1"])
    }
}
