import BothyContract
import BothyServer
import Testing

extension FeedWorld {
    /// Whoever scrolls down sees every post that the feed shows, each further down than the one before.
    func checkScrolled(by reader: Int) async throws {
        var (entries, next) = ([PostPreview](), String?.none)
        repeat {
            let page = try await services.posts.page(of: .feed, after: next, limit: 2, for: people[reader].caller)
            entries += page.feed
            next = page.paging.next
        } while next != nil
        #expect(Set(entries.map(\.postId)) == shown(to: reader))
        let places = entries.map(\.entryId)
        #expect(places == Set(places).sorted(by: >))
    }

    /// Whoever scrolls up from the oldest sees the same, each further up than the one before.
    func checkClimbed(by reader: Int) async throws {
        var (entries, next) = ([PostPreview](), Int64?(0))
        while let above = next {
            let page = try await services.posts.page(
                of: .feed, after: nil, above: above, limit: 2, for: people[reader].caller)
            entries = page.feed + entries
            next = page.paging.next.flatMap { Int64($0) }
        }
        #expect(Set(entries.map(\.postId)) == shown(to: reader))
        let places = entries.map(\.entryId)
        #expect(places == Set(places).sorted(by: >))
    }
}
