import BothyClient
import BothyContract
import BothyPresentation
import Testing

@MainActor @Suite struct EditPostStateHolderTests {
    private let posts = MadeUpPost(
        PostDetail(
            postId: 1, content: "<p>one <u>two</u></p>", author: AuthorPreview(id: 7, name: "Ann"),
            createdAt: Timestamp(seconds: 0), liked: false, bookmarked: false, likeCount: 0, shareCount: 0,
            attachments: [
                Attachment(id: 4, type: .image, contentUrl: "/v1/content/a", caption: "a hill"),
                Attachment(id: 5, type: .video, contentUrl: "/v1/content/b"),
            ]))

    private func holder() -> EditPostStateHolder {
        EditPostStateHolder(posts, you: 7, words: .english, newRequestId: { "new" })
    }

    private func sent(
        _ written: WrittenText,
        _ attached: [(id: ItemID, caption: String)] = [(ItemID("posted-4"), "a hill"), (ItemID("posted-5"), "")],
        base: Int = 1, warning: String = ""
    ) -> EditPostStateHolder.Sent {
        EditPostStateHolder.Sent(
            written: written, warning: warning, attached: attached, baseVersion: base, requestId: "r")
    }

    @Test func theComposerHasWhatThePostSays() async {
        let holder = holder()
        await holder.open(1)
        #expect(holder.state.standing == .shown && holder.state.written == .html("<p>one <u>two</u></p>"))
        #expect(
            holder.state.attached.map(\.caption) == ["a hill", ""] && holder.state.attached.map(\.posted) == [4, 5])
        #expect(holder.state.baseVersion == 1)
    }

    @Test func onlyWhatChangedIsSent() async {
        let holder = holder()
        await holder.save(sent(.html("<p>three</p>")), of: 1)
        #expect(holder.state.standing == .saved && holder.state.notice?.text == "Your changes were saved.")
        #expect(posts.edits == [EditPostRequest(requestId: "r", baseVersion: 1, content: "<p>three</p>")])
    }

    @Test func whatDidNotChangeIsNoEdit() async {
        // A field without marks has no underlines, and sends other ends of lines.
        for written in [WrittenText.html("<p>one <u>two</u></p>"), .markdown("one two")] {
            let holder = holder()
            await holder.save(sent(written), of: 1)
            #expect(holder.state.standing == .saved && posts.edits.isEmpty)
        }
    }

    @Test func aWarningIsSetKeptAndTakenAwayWithoutTouchingTheText() async {
        for (before, typed, asked) in [
            (nil, " Steep ", "Steep"), ("Steep", "Steep", nil), ("Steep", "  ", ""),
        ] as [(String?, String, String?)] {
            posts.change { $0.contentWarning = before }
            let (holder, edits) = (holder(), posts.edits.count)
            await holder.open(1)
            #expect(holder.state.warning == before ?? "")
            let written = WrittenText.html("<p>one <u>two</u></p>")
            await holder.save(sent(written, base: posts.now.version, warning: typed), of: 1)
            #expect(holder.state.standing == .saved)
            #expect(posts.edits.dropFirst(edits).map(\.contentWarning) == (asked.map { [$0] } ?? []))
            #expect(posts.edits.last?.content == nil)
        }
    }

    @Test func captionsChangeAndWhatIsLeftOutGoes() async {
        let holder = holder()
        await holder.save(
            sent(.html("<p>one <u>two</u></p>"), [(ItemID("hill"), "new"), (ItemID("posted-4"), "lake")]), of: 1)
        #expect(posts.edits.first?.content == nil)
        #expect(
            posts.edits.first?.attachments == [
                NewAttachment(type: .image, contentUrl: "/v1/content/h", caption: "new"),
                NewAttachment(type: .image, contentUrl: "/v1/content/a", caption: "lake"),
            ])
    }

    @Test func whatWasTypedStaysWhereThePostWasEditedMeanwhile() async {
        posts.change { post in
            post.version = 2
            post.content = "<p>elsewhere</p>"
            post.contentWarning = "Steep\u{202E}"
        }
        let holder = holder()
        await holder.save(sent(.html("<p>three</p>")), of: 1)
        #expect(holder.state.standing == .shown && holder.state.notice?.tone == .failure)
        #expect(holder.state.written == .html("<p>three</p>") && holder.state.elsewhere?.text.plain == "elsewhere")
        #expect(holder.state.elsewhere?.warning == "Steep⟨U+202E⟩")
        #expect(
            holder.state.baseVersion == 2 && holder.state.requestId == "new" && posts.now.content == "<p>elsewhere</p>")
        await holder.save(sent(.html("<p>three</p>"), base: 2), of: 1)
        #expect(holder.state.standing == .saved && posts.now.content == "<p>three</p>")
    }

    @Test func withoutAConnectionItSaysSoAndWhatWasTypedStays() async {
        posts.fail(with: ClientFailure(.offline, "There is no way."))
        let holder = holder()
        await holder.save(sent(.markdown("three")), of: 1)
        #expect(holder.state.standing == .shown && holder.state.written == .markdown("three"))
        #expect(holder.state.notice?.text == Words.english[.postEditOffline])
    }

    @Test func whatSomebodyElseWroteIsNotEdited() async {
        let holder = EditPostStateHolder(posts, you: 8, words: .english, newRequestId: { "new" })
        await holder.open(1)
        guard case .gone = holder.state.standing else { return _ = Issue.record("shown") }
    }

    @Test func wordsForAPostThatIsGoneStay() async {
        let holder = holder()
        await holder.save(sent(.markdown("three")), of: 2)
        #expect(holder.state.standing == .shown && holder.state.written == .markdown("three"))
        #expect(holder.state.notice?.text == Words.english[.postEditGone])
    }
}
