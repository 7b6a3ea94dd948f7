import BothyClient
import BothyContract
import FolderConformance
import RealServing
import Testing

@Suite struct DeviceDraftsTests {
    @Test func aDevicesDraftsAreWhatTheServersAre() async throws {
        let server = try await RealServer()
        let ann = try await server.device("ann", register: true, email: "ann@example.org")
        try await DraftsConformance(ann.drafts, ann.drafts, posts: ann.posts).run()
        await server.stop()
        let kept = try await ann.drafts.all()
        #expect(kept.unreached?.code == .offline)
        await #expect(throws: ClientFailure.self) { try await ann.drafts.draft(404) }
        try await ann.close()
    }

    @Test func whatWasReadIsReadAgainAndPostedWithoutAConnection() async throws {
        let server = try await RealServer()
        let ann = try await server.device("ann", register: true)
        _ = try await ann.drafts.save(SaveDraftRequest(content: "<p>a</p>"), as: 5)
        _ = try await ann.drafts.save(SaveDraftRequest(content: "<p>b</p>"), as: 6)
        #expect(try await ann.drafts.all().value.count == 2)
        await server.stop()
        let draft = try await ann.drafts.draft(5)
        #expect(draft.content == "<p>a</p>")
        try await ann.posts.publish(
            NewPostRequest(requestId: "5", content: draft.content, draftId: 5, draftVersion: draft.version))
        let left = try await ann.drafts.all()
        #expect(left.value.map(\.draftId) == [6] && left.unreached != nil, "what is to be posted is no draft any more")
        try await ann.close()
    }

    /// The list was as the server had told it last: a deleted draft was in it, a new one was not, and a posted one opened.
    @Test func whatWasChangedHereIsSoInTheListWithoutAConnection() async throws {
        let server = try await RealServer()
        let ann = try await server.device("ann", register: true)
        for id in [5, 6, 7] as [Int64] {
            _ = try await ann.drafts.save(SaveDraftRequest(content: "<p>\(id)</p>"), as: id)
        }
        #expect(try await ann.drafts.all().value.count == 3)
        try await ann.drafts.delete(5)
        try await ann.posts.publish(
            NewPostRequest(requestId: "6", content: "<p>6</p>", draftId: 6, draftVersion: 1))
        _ = try await ann.drafts.save(SaveDraftRequest(content: "<p>seven</p>", baseVersion: 1), as: 7)
        _ = try await ann.drafts.save(SaveDraftRequest(content: "<p>new</p>"), as: 8)
        let other = try await server.device("desk", register: false)
        let there = try await other.drafts.all()
        await server.stop()
        let kept = try await ann.drafts.all()
        #expect(kept.unreached != nil && kept.value.map(\.draftId) == [8, 7])
        #expect(kept.value.map(\.contentSummary) == ["<p>new</p>", "<p>seven</p>"])
        #expect(kept.value == there.value, "it is what the server says")
        for id in [5, 6] as [Int64] {
            await #expect(throws: ClientFailure.self) { try await ann.drafts.draft(id) }
        }
        try await other.close()
        try await ann.close()
    }
}
