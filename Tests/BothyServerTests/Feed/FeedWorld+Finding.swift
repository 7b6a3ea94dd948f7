import BothyContract
import BothyServer
import Testing

extension FeedWorld {
    /// Whatever finds posts finds those that the reader may read, each of them, and counts no others.
    func checkFound(by reader: Int) async throws {
        let readable = ids { mayRead($0, reader) }
        let words = try #require(PostMatch.typed("wal"))
        #expect(try await listed(.matching(.tag("walk")), reader) == readable)
        #expect(try await listed(.matching(words), reader) == readable)
        let tags = try await services.hashtags.page(beginningWith: "w", limit: 10, for: people[reader].caller).tags
        #expect(tags.map(\.postCount) == (readable.isEmpty ? [] : [readable.count]))
        #expect(try await toPeople(reader) == ids { mayRead($0, reader) && $0.isToPeople })
    }

    /// What a reader holds of everything that was ever posted is told to be gone just where it may not be read.
    func checkHeld(by reader: Int) async throws {
        guard !posts.isEmpty else { return }
        let caller = people[reader].caller
        let old = posts.map { PostAtVersion(postId: $0.id, version: $0.version - 1) }
        let told = try await services.posts.check(old, for: caller)
        #expect(Set(told.gone) == ids { !mayRead($0, reader) })
        #expect(
            told.changed
                == posts.filter { mayRead($0, reader) }.map { PostAtVersion(postId: $0.id, version: $0.version) })
        let now = posts.map { PostAtVersion(postId: $0.id, version: $0.version) }
        let nothing = PostCheckResponse(changed: [], gone: told.gone)
        #expect(try await services.posts.check(now, for: caller) == nothing)
    }

    private func toPeople(_ reader: Int) async throws -> Set<Int64> {
        let page = try await services.posts.conversations(after: nil, limit: 100, for: people[reader].caller)
        var found = Set<Int64>()
        for conversation in page.conversations {
            found.formUnion(try await listed(.conversation(conversation.conversationId), reader))
        }
        return found
    }
}

extension FeedWorld.Post {
    fileprivate var isToPeople: Bool {
        if case .people = audience { true } else { false }
    }
}
