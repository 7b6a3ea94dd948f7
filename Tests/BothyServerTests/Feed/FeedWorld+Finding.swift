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
