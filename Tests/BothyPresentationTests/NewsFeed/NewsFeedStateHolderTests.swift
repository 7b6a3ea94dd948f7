import BothyClient
import BothyContract
import BothyPresentation
import Testing

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

    @Test func aWarningStandsBeforeAPostAsItIsRead() async {
        var warned = preview(2)
        warned.contentWarning = "Steep\u{202E}"
        posts.show(
            FeedPage(
                posts: [warned, preview(1)],
                waiting: [
                    WaitingPost(
                        id: 3, content: "<p>b</p>", contentWarning: "Sad", attachmentCount: 0,
                        writtenAt: Timestamp(seconds: 0))
                ]))
        let holder = holder()
        await holder.open()
        #expect(holder.state.posts.map(\.warning) == ["Steep⟨U+202E⟩", nil])
        #expect(holder.state.waiting.map(\.warning) == ["Sad"])
    }

    @Test func whatIsAttachedIsCalledWhatItIs() async throws {
        let (photo, film) = (OpenWord(AttachmentType.image), OpenWord(AttachmentType.video))
        let told: [([AttachmentPreview], String)] = [
            ([AttachmentPreview(type: photo)], "1 photo"),
            ([AttachmentPreview(type: film, durationMs: 65_400)], "1 video"),
            (
                [AttachmentPreview(type: photo), AttachmentPreview(type: film), AttachmentPreview(type: photo)],
                "2 photos and 1 video"
            ),
            (
                [AttachmentPreview(type: film), AttachmentPreview(type: OpenWord(rawValue: "scent"))],
                "2 pictures or videos"
            ),
        ]
        for (previews, words) in told {
            var post = preview(1)
            (post.attachmentCount, post.attachmentPreviews) = (previews.count, previews)
            posts.show(FeedPage(posts: [post]))
            let holder = holder()
            await holder.open()
            let row = try #require(holder.state.posts.first)
            #expect(row.attachments == words && row.media.map(\.type) == previews.map(\.type.known))
            #expect(row.media[0].length == (previews[0].durationMs == nil ? nil : "1:05"))
        }
    }

    @Test func aFilmSaysHowLongItRuns() async throws {
        let lengths: [(Int64, String?)] = [
            (-1, nil), (0, nil), (400, "0:01"), (59_999, "0:59"), (65_400, "1:05"), (3_729_000, "1:02:09"),
        ]
        var post = preview(1)
        post.attachmentCount = lengths.count
        post.attachmentPreviews = lengths.map { AttachmentPreview(type: OpenWord(.video), durationMs: $0.0) }
        posts.show(FeedPage(posts: [post]))
        let holder = holder()
        await holder.open()
        #expect(holder.state.posts.first?.media.map(\.length) == lengths.map(\.1))
    }

    @Test func whatIsMissingStandsBelowThePostAboveItAndStaysThere() async {
        let gap = FeedPage.Gap(older: "2.n", newer: 1)
        posts.show(FeedPage(posts: [preview(2), preview(1)], arrival: "a", gaps: [2: gap]))
        let holder = holder()
        await holder.open()
        await holder.interact(.removedLike, with: 2)
        #expect(holder.state.posts.map(\.gap) == [gap, nil] && holder.state.arrival == "a")
    }

    @Test func whoComesFromBelowIsShownThePostsNextAboveAndWhereMoreAreMissing() async {
        posts.show(FeedPage(posts: [preview(5), preview(4)], next: "4", newer: 5))
        let holder = holder()
        await holder.open(above: 3)
        #expect(holder.state.posts.map(\.entry) == [5, 4] && holder.state.newer == 5 && !holder.state.isFirst)
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
        #expect(holder.state.staleness == "There is no connection: these are the last posts that this device knows.")
        #expect(holder.state.waiting.map(\.isRefused) == [false, true])
        #expect(holder.state.waiting[0].standing == "Waiting to be posted")
        #expect(holder.state.waiting[1].standing.hasPrefix("Not posted: "))
        await holder.tryAgain(2)
        await holder.discard(3)
        #expect(posts.done.suffix(2) == ["again 2", "discard 3"] && holder.state.notice?.text == "It was discarded.")
    }

    /// It waited for a picture, and nothing said that the picture would never go up.
    @Test func aPostWhosePictureDoesNotGoUpSaysWhyAndWhatToDo() async {
        func waiting(_ id: Int64, _ failure: ClientFailure?) -> WaitingPost {
            WaitingPost(
                id: id, content: "<p>a</p>", attachmentCount: 1,
                files: WaitingFiles(count: 1, bytes: 3_000_000, failure: failure), writtenAt: Timestamp(seconds: 0))
        }
        let full = ClientFailure(.quotaExceeded, "No room.")
        posts.show(
            FeedPage(
                posts: [],
                waiting: [waiting(1, nil), waiting(2, full), waiting(3, ClientFailure(.offline, "Nobody answers."))]))
        let holder = holder()
        await holder.open()
        let told = Words.english.failure(full)
        let rows = holder.state.waiting
        #expect(rows[1].standing == "Waiting for 1 picture or video (3 MB): \(told.text)")
        #expect(rows[1].remedy == told.remedy && told.remedy != nil && !rows[1].isRefused)
        // Without a connection everything waits, and the page says so.
        #expect(Set([rows[0], rows[2]].map(\.standing)) == ["Waiting for 1 picture or video (3 MB)"])
        #expect(rows[0].remedy == nil && rows[2].remedy == nil)
    }

    @Test func whatWaitsIsWrittenAnewAndGoesWithoutItsPictures() async {
        let holder = holder()
        await holder.rewrite(2, .markdown("**d**"))
        await holder.rewrite(2, .markdown(" "))
        #expect(holder.state.notice?.tone == .failure)
        await holder.detach(3)
        #expect(posts.done.suffix(2) == ["rewrite 2", "detach 3"])
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
        #expect(holder.state.attached.map(\.id) == [ItemID("x")] && holder.state.notice?.tone == .failure)
        for _ in 0..<2 {
            await holder.publish(.markdown("**a**"))
            #expect(posts.done.isEmpty && holder.state.notice?.tone == .failure, "not without what was to be seen")
        }
        // The form that comes back without it was told to leave it out.
        let without = CreatePostStateHolder(
            posts, drafts: MadeUpDrafts(), words: .english, clock: .atNoon, newDraftId: { 5 })
        await without.publish(.markdown("**a**"))
        #expect(posts.done == ["<p><strong>a</strong></p>"] && without.state.isPublished)
        #expect(without.state.notice?.text == "It will be posted when there is a connection.")
    }

    /// The second press had posted it without its picture, whose caption was gone from the form.
    @Test func whatCannotBeAttachedKeepsItsCaption() async {
        let holder = CreatePostStateHolder(
            posts, drafts: MadeUpDrafts(), words: .english, clock: .atNoon, newDraftId: { 5 })
        await holder.attach([ItemID("x")], captions: ["a hill"])
        await holder.publish(.markdown("a"))
        #expect(holder.state.attached.map(\.caption) == ["a hill"] && !holder.state.isPublished)
    }

    @Test func aPostThatIsGoneSaysSo() async {
        let holder = PostDetailStateHolder(posts, you: 7, words: .english, clock: clock)
        await holder.open(1)
        guard case .gone = holder.state.standing else { return _ = Issue.record("shown") }
        await holder.delete(1)
        #expect(holder.state.standing == .deleted && posts.done == ["delete 1"])
    }
}
