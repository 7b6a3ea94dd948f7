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

    @Test func whoGoesOnFarBelowACutComesNoHigher() async throws {
        try await Town.with(entries: 2) { town in
            let posts = try await town.posts(60, by: 0)
            let place = try PageCursor.text(FeedListing.Position(entryId: posts[2]))
            try await town.fallAsleep(1)
            _ = try await town.page(of: 1, limit: 1)
            #expect(try await town.scrolled(by: 1, after: place) == [posts[1], posts[0]])
        }
    }

    /// What was cut is brought back before anything above it is told, over more than one request where that is far.
    @Test(arguments: [1, 4, 56])
    func whoGoesUpFromFarBelowACutMissesNothing(count: Int) async throws {
        try await Town.with(entries: 2) { town in
            let posts = try await town.posts(count + 3, by: 0)
            try await town.fallAsleep(1)
            _ = try await town.page(of: 1, limit: 1)
            #expect(try await town.climbed(by: 1, above: posts[1]) == posts.dropFirst(2).reversed())
            let newest = try await town.post()
            #expect(try await town.climbed(by: 1, above: posts[count + 2]) == [newest])
            #expect(try await town.climbed(by: 1, above: newest).isEmpty)
        }
    }

    @Test func aPageThatGoesUpHasNoOtherPlace() async throws {
        try await Town.with { town in
            let (posts, caller) = (town.server.services.posts, town.people[1].caller)
            for (after, since) in [("e30", nil), (nil, "e30")] as [(String?, String?)] {
                let code = try await problemCode {
                    _ = try await posts.page(of: .feed, after: after, since: since, above: 1, limit: 2, for: caller)
                }
                #expect(code == .invalidParameter)
            }
        }
    }

    @Test func whatWasLeftOutOfAFeedWhoseReaderWasAwayIsToldToBeMissing() async throws {
        try await Town.with(entries: 2) { town in
            let arrival = try await town.page(of: 1).arrival
            try await town.fallAsleep(1)
            let posts = try await town.posts(4, by: 0)
            try await expectCut(town, since: arrival, shows: posts.suffix(2))
            #expect(try await town.scrolled(by: 1) == posts.reversed())
        }
    }

    @Test func whatWasTakenOutOfAFeedWhoseReaderStaysAwayIsToldToBeMissing() async throws {
        try await Town.with(entries: 2) { town in
            let arrival = try await town.page(of: 1).arrival
            let older = try await town.posts(3, by: 0)
            town.server.clock.advance(seconds: 7_200)
            let newest = try await town.post()
            try await town.fallAsleep(1)
            try await expectCut(town, since: arrival, shows: [older[2], newest])
        }
    }

    @Test func whatManyPostsOfSomebodyLoudTookOutOfAFeedIsToldToBeMissing() async throws {
        try await Town.with(batch: 2, mostFollowers: 4, entries: 2) { town in
            try await town.follow(5, by: 1)
            let arrival = try await town.page(of: 1).arrival
            _ = try await town.post(by: 5)
            let loud = try await town.posts(3, by: 0)
            try await expectCut(town, since: arrival, shows: loud.suffix(2))
        }
    }

    @Test func whereReadingStoppedIsKnownThoughTheFeedWasCutAboveIt() async throws {
        try await Town.with(entries: 2) { town in
            let (markers, reader) = (town.server.services.markers, town.people[1].caller)
            let posts = try await town.posts(4, by: 0)
            let place = FeedPosition(entryId: posts[0], offset: 300)
            _ = try await markers.update(UpdateFeedMarkerRequest(position: place), for: reader)
            try await town.fallAsleep(1)
            #expect(try await markers.marker(for: reader).position == place)
            _ = try await town.page(of: 1, limit: 1)
            #expect(try await markers.marker(for: reader).position == place)
            let read = UpdateFeedMarkerRequest(readUpTo: posts[1])
            #expect(try await markers.update(read, for: reader).readUpTo == posts[1])
        }
    }

    /// What came is not all told, and who knows that lacks nothing more.
    private func expectCut(_ town: Town, since arrival: String?, shows posts: some Sequence<Int64>) async throws {
        let news = try await town.page(of: 1, since: arrival)
        #expect(news.feed.map(\.postId) == posts.reversed() && news.paging.next == nil)
        #expect(news.reachesSince == false)
        let nothing = try await town.page(of: 1, since: news.arrival)
        #expect(nothing.feed.isEmpty && nothing.reachesSince == true)
    }
}
