import BothyContract
import BothyServer
import Testing

/// What becomes of a draft that is posted, and of what it shows.
@Suite struct DraftPostingTests {
    /// A later version that only named other readers, or another time, went with the version that was posted.
    @Test(
        arguments: [
            (NewPostAudience(kind: .followers), nil), (nil, Timestamp(milliseconds: 4_102_444_800_000)),
        ] as [(NewPostAudience?, Timestamp?)])
    func whatWasChosenAfterTheVersionThatIsPostedStays(audience: NewPostAudience?, time: Timestamp?) async throws {
        try await AccountServer.with { server in
            let ann = try await server.register()
            let drafts = server.services.drafts
            try await Self.save(drafts, 7, for: ann)
            try await Self.save(drafts, 7, audience: audience, time: time, over: 1, for: ann)
            try await Self.post(server, 7, version: 1, for: ann)
            let left = try await drafts.all(for: ann.caller).drafts
            #expect(left.map(\.copiedFrom) == [7])
            let kept = try await drafts.find(try #require(left.first).draftId, for: ann.caller)
            #expect(kept.audience?.kind == audience?.kind && kept.publishAt == time)
        }
    }

    @Test func aLaterVersionThatSaysWhomThePostIsToAnyhowLeavesNothing() async throws {
        try await AccountServer.with { server in
            let ann = try await server.register()
            try await Self.save(server.services.drafts, 7, for: ann)
            try await Self.save(server.services.drafts, 7, audience: .init(kind: .everyone), over: 1, for: ann)
            try await Self.post(server, 7, version: 1, for: ann)
            #expect(try await server.services.drafts.count(for: ann.caller) == 0)
        }
    }

    private static func save(
        _ drafts: Drafts, _ id: Int64, audience: NewPostAudience? = nil, time: Timestamp? = nil, over base: Int64 = 0,
        for author: SessionResponse
    ) async throws {
        _ = try await drafts.save(
            SaveDraftRequest(content: "<p>a</p>", publishAt: time, audience: audience, baseVersion: base), id,
            if: .none, for: author.caller)
    }

    private static func post(
        _ server: AccountServer, _ id: Int64, version: Int64, for author: SessionResponse
    ) async throws {
        let request = NewPostRequest(requestId: nil, content: "<p>a</p>", draftId: id, draftVersion: version)
        _ = try await server.services.posts.create(
            request, identity: try RequestIdentity(of: request), for: author.caller)
    }
}
