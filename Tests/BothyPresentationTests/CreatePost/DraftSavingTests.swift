import BothyClient
import BothyContract
import Testing

@testable import BothyPresentation

@MainActor @Suite struct DraftSavingTests {
    private let drafts = MadeUpDrafts()
    private let posts = MadeUpPost(
        PostDetail(
            postId: 1, content: "", author: AuthorPreview(id: 7, name: "Ann"), createdAt: Timestamp(seconds: 0),
            liked: false, bookmarked: false, likeCount: 0, shareCount: 0, attachments: []))

    private func holder(_ mark: DraftMark? = nil) -> CreatePostStateHolder {
        CreatePostStateHolder(posts, drafts: drafts, words: .english, clock: .atNoon, mark: mark, newDraftId: { 50 })
    }

    @Test func whatIsWrittenBecomesADraftAndGoesOnAsOne() async {
        let holder = holder(DraftMark(requestId: "5", editor: "e"))
        await holder.save(.markdown("one"))
        #expect(holder.state.isSaved && holder.state.notice?.text == "Draft saved")
        #expect(holder.state.mark == DraftMark(requestId: "5", version: 1, editor: "e"))
        await holder.save(.html("<p>one two<script>x</script></p>"))
        #expect(drafts.drafts[5]?.content == "<p>one two</p>" && drafts.drafts[5]?.version == 2)
        #expect(drafts.asked.map(\.baseVersion) == [0, 1] && drafts.asked.map(\.editorId) == ["e", "e"])
    }

    @Test func nothingIsNoDraftUnlessThereWasOne() async {
        let fresh = holder()
        await fresh.save(.markdown(" "))
        #expect(!fresh.state.isSaved && drafts.asked.isEmpty)
        drafts.put(Draft(draftId: 5, version: 3, content: "<p>a</p>", updatedAt: Timestamp(seconds: 0)))
        let emptied = holder(DraftMark(requestId: "5", version: 3, editor: "e"))
        await emptied.save(.markdown(""))
        #expect(emptied.state.isSaved && drafts.drafts[5]?.content == "")
    }

    @Test func aWarningIsSavedWithTheDraftAndShownWhenItIsGoneOnWith() async throws {
        let holder = holder(DraftMark(requestId: "5", editor: "e"))
        holder.warn(" Steep ")
        await holder.save(.markdown("one"))
        #expect(drafts.drafts[5]?.contentWarning == "Steep")
        let later = self.holder()
        try await later.open(draft: 5)
        #expect(later.state.warning == "Steep")
    }

    @Test func aFormThatSaysNothingOfAWarningLeavesTheDrafts() async {
        drafts.put(
            Draft(
                draftId: 5, version: 3, content: "<p>a</p>", updatedAt: Timestamp(seconds: 0), contentWarning: "Steep"))
        let holder = holder(DraftMark(requestId: "5", version: 3, editor: "e"))
        holder.warn(nil)
        await holder.recall()
        #expect(holder.state.warning == "Steep")
        await holder.save(.markdown("b"))
        #expect(drafts.drafts[5]?.contentWarning == "Steep" && drafts.drafts[5]?.content == "<p>b</p>")
    }

    @Test func whatWasChangedElsewhereStaysBesideThis() async {
        drafts.put(Draft(draftId: 5, version: 2, content: "<p>elsewhere</p>", updatedAt: Timestamp(seconds: 0)))
        let holder = holder(DraftMark(requestId: "5", version: 1, editor: "e"))
        await holder.save(.markdown("here"))
        #expect(holder.state.mark == DraftMark(requestId: "1005", version: 1, editor: "e"))
        #expect(holder.state.notice?.text == Words.english[.draftCopied])
        #expect(drafts.drafts[5]?.content == "<p>elsewhere</p>" && drafts.drafts[1005]?.content == "<p>here</p>")
    }

    @Test func whatIsWrittenAfterItWasPostedElsewhereIsADraftOfItsOwn() async {
        drafts.post(5)
        let holder = holder(DraftMark(requestId: "5", version: 1, editor: "e"))
        await holder.save(.markdown("more"))
        #expect(holder.state.isSaved && holder.state.mark.requestId == "50")
        #expect(drafts.drafts[50]?.content == "<p>more</p>" && drafts.asked.last?.baseVersion == 0)
    }

    @Test func whatThisFormHasPostedIsNoDraftAgain() async {
        drafts.post(5)
        let holder = holder(DraftMark(requestId: "5", version: 1, editor: "e"))
        await holder.save(.markdown("posted"), isPosting: true)
        #expect(holder.state.isPostedBefore && !holder.state.isSaved && drafts.drafts.isEmpty)
    }

    @Test func whatReachesNobodySaysSo() async {
        drafts.fail(with: ClientFailure(.offline, "There is no way."))
        let holder = holder()
        await holder.save(.markdown("here"))
        #expect(!holder.state.isSaved && holder.state.isUnreached && holder.state.notice?.tone == .failure)
        #expect(holder.state.written == .markdown("here"))
    }

    /// A draft is the server's: it had been refused for naming a file that the server does not have.
    @Test func whatWaitsForItsPictureIsNoDraftYet() async {
        let holder = holder()
        await holder.attach([ItemID("lake")], captions: ["a lake"])
        await holder.save(.markdown("here"))
        #expect(!holder.state.isSaved && holder.state.isUnreached && drafts.asked.isEmpty)
        #expect(holder.state.attached.map(\.caption) == ["a lake"])
    }

    @Test func anOpenedDraftHasItsTextAndWhatIsAttachedAsItWas() async throws {
        drafts.put(
            Draft(
                draftId: 5, version: 3, content: "<p>a</p>",
                attachments: [
                    DraftAttachment(
                        type: .image, contentUrl: "/v1/content/old?sig=x", caption: "a hill", fileId: "gone",
                        name: "hill.png")
                ], goneAttachments: 2, publishAt: Timestamp(seconds: 9), updatedAt: Timestamp(seconds: 0)))
        let holder = holder()
        try await holder.open(draft: 5)
        #expect(holder.state.written == .html("<p>a</p>") && holder.state.isSaved && holder.state.mark.version == 3)
        #expect(holder.state.attached.map(\.caption) == ["a hill"] && holder.state.attached.map(\.name) == ["hill.png"])
        #expect(holder.state.notice?.text == "2 photos or videos of this draft were deleted in the meantime.")
        // The form that comes back names files alone, one of which is in no folder any more.
        let sent = self.holder(holder.state.mark)
        await sent.recall()
        sent.choose(time: holder.state.time)
        await sent.attach([ItemID("gone")], captions: ["a lake"])
        await sent.save(.html("<p>b</p>"))
        let request = try #require(drafts.asked.last)
        #expect(
            request.attachments == [NewAttachment(type: .image, contentUrl: "/v1/content/old?sig=x", caption: "a lake")]
        )
        #expect(request.publishAt == Timestamp(seconds: 9), "its time stays to the second")
    }

    /// A draft for Ben was to everyone once it was opened again.
    @Test func whomADraftIsToGoesOnAsItWas() async throws {
        let toBen = PostAudience(kind: .people, people: [AuthorPreview(id: 8, name: "Ben")])
        drafts.put(
            Draft(draftId: 5, version: 1, content: "<p>a</p>", audience: toBen, updatedAt: Timestamp(seconds: 0)))
        let opened = holder()
        try await opened.open(draft: 5)
        await opened.save(.html("<p>b</p>"))
        #expect(drafts.asked.last?.audience == NewPostAudience(kind: .people, people: [8]))
        // A form that says nothing of it leaves it; one that does is heard.
        let silent = holder(opened.state.mark)
        await silent.recall()
        await silent.save(.html("<p>c</p>"))
        #expect(drafts.drafts[5]?.audience?.people?.map(\.id) == [8])
        let another = holder(silent.state.mark)
        another.choose(.followers)
        await another.recall()
        await another.save(.html("<p>d</p>"))
        #expect(drafts.drafts[5]?.audience?.kind == .followers)
    }

    @Test func whatIsToPeopleAndNamesNobodyIsSavedAndNotPosted() async {
        let holder = holder(DraftMark(requestId: "5", editor: "e"))
        holder.choose(.people)
        await holder.save(.markdown("a"))
        #expect(drafts.asked.last?.audience == NewPostAudience(kind: .people, people: []))
        await holder.publish(.markdown("a"))
        #expect(!holder.state.isPublished && holder.state.notice?.text == Words.english[.audienceNobody])
    }

    @Test(
        arguments: [
            ("5", 5), ("9007199254740991", 9_007_199_254_740_991), ("9007199254740992", nil), ("0", nil), ("05", nil),
            ("7e1d4c80-2b5f-4a96-93c7-0f8a6e2d1b54", nil), ("-1", nil),
        ] as [(String, Int64?)])
    func aFormsRequestIsItsDraftWhereItCanBe(request: String, draft: Int64?) {
        #expect(DraftMark(requestId: request, editor: "").draft == draft)
    }
}
