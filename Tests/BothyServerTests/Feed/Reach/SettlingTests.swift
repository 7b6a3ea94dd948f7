import BothyContract
import Testing

@testable import BothyServer

/// What is done in many feeds holds nobody up: a request does one batch, and what is shown is right from then on.
@Suite struct SettlingTests {
    /// A share that was taken back went out of all feeds in the request.
    @Test func aShareThatIsTakenBackIsGoneAtOnceAndGoesOutOfFeedsInBatches() async throws {
        try await Self.with { town in
            let post = try await town.post(by: 5)
            try await town.interact(.shared, post, by: 0)
            try await town.carry()
            #expect(try await town.readers(of: post).count == 6)
            try await town.interact(.removedShare, post, by: 0)
            #expect(try await town.readers(of: post).count == 4, "one batch")
            for reader in 0..<5 { #expect(try await town.page(of: reader).feed.isEmpty) }
            try await town.carry()
            #expect(try await town.readers(of: post) == [town.people[5].user.id])
        }
    }

    @Test func aPostThatIsNarrowedIsGoneAtOnceAndGoesOutOfFeedsInBatches() async throws {
        try await Self.with { town in
            let post = try await town.post()
            try await town.carry()
            let named = NewPostAudience(kind: .people, people: [town.people[4].user.id])
            _ = try await town.server.services.posts.edit(
                post, EditPostRequest(requestId: nil, baseVersion: 1, audience: named), identity: .none(for: "test"),
                for: town.people[0].caller)
            #expect(try await town.readers(of: post).count == 5, "the author, and the first follower who is not named")
            for reader in 0...5 {
                #expect(try await town.page(of: reader).feed.map(\.postId) == ([0, 4].contains(reader) ? [post] : []))
            }
            try await town.carry()
            #expect(try await town.readers(of: post) == Set([0, 4].map { town.people[$0].user.id }))
        }
    }

    /// What is begun anew loses nothing of what was under way.
    @Test func whatIsNarrowedAndThenRestoredIsSettledStill() async throws {
        try await Self.with { town in
            let post = try await town.post(by: 5)
            try await town.interact(.shared, post, by: 0)
            try await town.carry()
            let (services, author) = (town.server.services, town.people[5].caller)
            _ = try await services.posts.edit(
                post, EditPostRequest(requestId: nil, baseVersion: 1, audience: NewPostAudience(kind: .followers)),
                identity: .none(for: "test"), for: author)
            _ = try await services.posts.delete(post, identity: .none(for: "test"), for: author)
            _ = try await services.posts.restore(post, identity: .none(for: "test"), for: author)
            try await town.carry()
            #expect(try await town.readers(of: post) == [town.people[5].user.id])
        }
    }

    /// All feeds that a post was in, and 250 for each of its shares, were written in the request.
    @Test func aPostThatIsRestoredIsShownAtOnceAndArrivesInBatches() async throws {
        try await Self.with { town in
            let post = try await town.post()
            try await town.carry()
            var arrivals: [String?] = []
            for reader in 0...5 { arrivals.append(try await town.page(of: reader).arrival) }
            let (posts, author) = (town.server.services.posts, town.people[0].caller)
            _ = try await posts.delete(post, identity: .none(for: "test"), for: author)
            _ = try await posts.restore(post, identity: .none(for: "test"), for: author)
            func arrived() async throws -> Int {
                var arrived = 0
                for reader in 0...5 {
                    #expect(try await town.page(of: reader).feed.map(\.postId) == [post])
                    arrived += try await town.page(of: reader, since: arrivals[reader]).feed.count
                }
                return arrived
            }
            #expect(try await arrived() == 2)
            try await town.carry()
            #expect(try await arrived() == 6)
        }
    }

    @Test func theSharesOfAPostThatIsRestoredComeToWhoFollowsTheirSharersSince() async throws {
        try await Self.with { town in
            let post = try await town.post(by: 5)
            for sharer in 0..<5 { try await town.interact(.shared, post, by: sharer) }
            try await town.carry()
            let (services, author) = (town.server.services, town.people[5].caller)
            let late = try await town.server.register("gus@example.org")
            _ = try await services.posts.delete(post, identity: .none(for: "test"), for: author)
            try await services.people.setFollowing(true, town.people[4].user.id, for: late.caller)
            _ = try await services.posts.restore(post, identity: .none(for: "test"), for: author)
            #expect(try await !town.readers(of: post).contains(late.user.id), "not all are brought at once")
            try await town.carry()
            let feed = try await services.posts.page(of: .feed, after: nil, limit: 9, for: late.caller).feed
            #expect(feed.map(\.postId) == [post] && feed.first?.sharedBy?.id == town.people[4].user.id)
        }
    }

    /// One feed a transaction: in between, every page shows what it shows once all is done.
    @Test(arguments: 0..<8)
    func whatIsTakenBackOrNarrowedIsRightAtOnce(seed: UInt64) async throws {
        var reach = FeedReach()
        reach.batch = 1
        try await AccountServer.with(reach: reach) { server in
            var world = try await FeedWorld(server, seed: seed)
            for _ in 0..<8 {
                for _ in 0..<6 {
                    try await world.act()
                    while try await server.services.fanOut.step() == .more {}
                }
                for acts in FeedWorld.taking + FeedWorld.taking { try await world.act(acts) }
                for reader in world.people.indices { try await world.checkLists(for: reader) }
                for _ in 0..<2 { try await world.act() }
                while try await server.services.fanOut.step() == .more {}
                for reader in world.people.indices { try await world.checkLists(for: reader) }
            }
        }
    }

    /// Everybody who writes waited while each who looked at a feed was asked for.
    @Test func whoListensIsToldOfALoudPostWithoutHoldingUpTheWriter() async throws {
        try await Self.with(mostFollowers: 4) { town in
            _ = try await town.post()
            let notifier = town.server.services.notifier
            let tickets = [
                await notifier.join(driveId: town.people[1].user.id, deviceId: "a", topics: [.feed]),
                await notifier.join(driveId: town.people[2].user.id, deviceId: "b", topics: [.feed]),
            ]
            let database = WatchedDatabase(town.server.services.database)
            let work = FanOutWork(
                database: database, notifier: notifier, reach: town.server.services.posts.reading.reach)
            #expect(try await work.step() == .more)
            #expect(database.statementsWriting.contains { $0.contains("feed_outbox") })
            #expect(!database.statementsWriting.contains { $0.contains("follows") })
            for ticket in tickets {
                #expect(await notifier.next(try #require(ticket), within: 0) == .told([.feed]))
            }
        }
    }

    /// Two feeds a transaction.
    private static func with(mostFollowers: Int = 10_000, _ body: (Town) async throws -> Void) async throws {
        try await Town.with(batch: 2, mostFollowers: mostFollowers, body)
    }
}
