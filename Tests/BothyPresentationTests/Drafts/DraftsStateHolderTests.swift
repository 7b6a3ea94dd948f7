import BothyClient
import BothyContract
import BothyPresentation
import Testing

@MainActor @Suite struct DraftsStateHolderTests {
    private let drafts = MadeUpDrafts()
    private let clock = PersonsClock(now: Timestamp(seconds: 7200), zone: .gmt)

    private func holder() -> DraftsStateHolder { DraftsStateHolder(drafts, words: .english, clock: clock) }

    @Test func eachShowsItsBeginningInOneLine() async {
        drafts.put(
            Draft(
                draftId: 1, version: 1, content: "<h1>Walk</h1><p>up<br>&lt;b&gt;</p>",
                attachments: [
                    DraftAttachment(type: .image, contentUrl: "/v1/content/a", fileId: "f", name: "hill.png")
                ], updatedAt: Timestamp(seconds: 3600)))
        drafts.put(Draft(draftId: 2, version: 1, content: "", updatedAt: Timestamp(seconds: 0), copiedFrom: 1))
        let holder = holder()
        await holder.open()
        #expect(holder.state.drafts.map(\.beginning) == ["Walk up <b>", "Nothing written yet"])
        #expect(holder.state.drafts.map(\.date) == ["1 h", "2 h"])
        #expect(holder.state.drafts.map(\.attachments) == ["1 picture or video", nil])
        #expect(holder.state.drafts.map(\.isCopy) == [false, true] && !holder.state.isEmpty)
    }

    @Test func oneBehindAWarningSaysIt() async {
        drafts.put(
            Draft(
                draftId: 1, version: 1, content: "<p>She leaves him</p>", updatedAt: Timestamp(seconds: 0),
                contentWarning: "Tells the end"))
        let holder = holder()
        await holder.open()
        #expect(holder.state.drafts.map(\.beginning) == ["Content warning: Tells the end · She leaves him"])
    }

    @Test func eachSaysWhomItIsToWhereThatIsNotEveryone() async {
        let audiences: [PostAudience?] = [
            nil, .everyone, PostAudience(kind: .followers),
            PostAudience(kind: .people, people: [AuthorPreview(id: 7, name: "Cy")]),
            PostAudience(kind: .people, people: []),
        ]
        for (id, audience) in audiences.enumerated() {
            drafts.put(
                Draft(
                    draftId: Int64(id + 1), version: 1, content: "<p>a</p>", audience: audience,
                    updatedAt: Timestamp(seconds: Int64(-id))))
        }
        let holder = holder()
        await holder.open()
        #expect(
            holder.state.drafts.map(\.reach) == [
                nil, nil, "For followers", "Only for Cy", "Only the people you choose",
            ])
    }

    /// They were never asked for here: an error took the place of the page, and of what the browser keeps.
    @Test func withoutAConnectionNobodyKnowsWhichThereAre() async {
        drafts.fail(with: ClientFailure(.offline, "There is no way."))
        let holder = holder()
        await holder.open()
        #expect(holder.state.standing == .unknown && !holder.state.isEmpty)
    }

    @Test func whatCannotBeReadSaysSo() async {
        drafts.fail(with: ClientFailure(.serverFailed, "It stumbles."))
        let holder = holder()
        await holder.open()
        guard case .failed = holder.state.standing else { return _ = Issue.record("shown") }
        #expect(!holder.state.isEmpty)
    }

    @Test func oneThatIsDeletedIsGoneAndOneThatWasGoneSaysSo() async {
        drafts.put(Draft(draftId: 1, version: 1, content: "<p>a</p>", updatedAt: Timestamp(seconds: 0)))
        let holder = holder()
        await holder.delete(1)
        #expect(holder.state.notice?.text == "The draft was deleted." && drafts.drafts.isEmpty)
        await holder.delete(1)
        #expect(holder.state.notice?.text == Words.english[.draftGone])
    }
}
