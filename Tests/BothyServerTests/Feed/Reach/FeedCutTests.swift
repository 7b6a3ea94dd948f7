import BothyContract
@testable import BothyServer
import Testing

/// A feed of which only the newest entries are here, the older ones coming while its reader scrolls.
@Suite struct FeedCutTests {
    @Test func whatIsOlderIsPassedByNothingThatCameFromSomebodyElse() async throws {
        try await Town.with(entries: 4) { town in
            let (older, newer) = (try await town.posts(6, by: 5), try await town.posts(10, by: 0))
            try await town.fallAsleep(1)
            _ = try await town.page(of: 1, limit: 2)
            try await town.follow(5, by: 1)
            #expect(try await town.scrolled(by: 1) == (older + newer).reversed())
        }
    }

    @Test func aFeedThatIsCutAgainAmongWhatCameFromSomebodyElseIsWholeAgain() async throws {
        try await Town.with(entries: 4) { town in
            let (older, newer) = (try await town.posts(6, by: 5), try await town.posts(10, by: 0))
            try await town.fallAsleep(1)
            _ = try await town.page(of: 1, limit: 1)
            try await town.follow(5, by: 1)
            for post in newer.suffix(3) {
                _ = try await town.server.services.posts.delete(
                    post, isForGood: true, identity: .none(for: "test"), for: town.people[0].caller)
            }
            town.server.clock.advance(seconds: 7_200)
            let newest = try await town.post()
            try await town.fallAsleep(1)
            #expect(try await town.scrolled(by: 1) == (older + newer.dropLast(3) + [newest]).reversed())
        }
    }
}
