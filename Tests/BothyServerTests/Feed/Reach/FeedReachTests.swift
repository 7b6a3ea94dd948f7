import BothyContract
@testable import BothyServer
import Testing

/// A feed shows the same however its entries came there: carried at once, in batches, or brought when its reader came.
@Suite struct FeedReachTests {
    /// One follower a transaction, nobody with more than one is carried, and three entries are brought at a time.
    private static let tiny = {
        var reach = FeedReach()
        (reach.batch, reach.mostFollowers, reach.entries) = (1, 1, 3)
        return reach
    }()

    @Test(arguments: 0..<12)
    func whoMayReadReadsHoweverItCame(seed: UInt64) async throws {
        try await AccountServer.with(reach: Self.tiny) { server in
            var world = try await FeedWorld(server, seed: seed)
            var sleepers = SeededGenerator(seed: seed)
            for _ in 0..<70 {
                try await world.act()
                try await Self.carry(server)
                if Int.random(in: 0..<6, using: &sleepers) == 0 {
                    try await Self.sleep(world.people.randomElement(using: &sleepers), server)
                }
                // Who comes and reads no further has a feed that is not whole when the next thing happens.
                if Int.random(in: 0..<6, using: &sleepers) == 0 {
                    _ = try await world.services.posts.page(
                        of: .feed, after: nil, limit: 1,
                        for: world.people[Int.random(in: world.people.indices, using: &sleepers)].caller)
                }
            }
            for reader in world.people.indices {
                // Either brings back what is not here, so that the other has nothing to bring.
                if reader.isMultiple(of: 2) { try await world.checkClimbed(by: reader) }
                try await world.checkScrolled(by: reader)
                try await world.checkClimbed(by: reader)
                try await world.checkLists(for: reader)
            }
        }
    }

    @Test(arguments: 0..<12)
    func thePlacesAreTheSame(seed: UInt64) async throws {
        let carried = try await Self.feeds(seed, FeedReach())
        let brought = try await Self.feeds(seed, Self.tiny)
        #expect(carried == brought)
        #expect(carried.contains { $0.count > 3 }, "there is something to go back to")
    }

    /// People who follow each other, then post and share.
    private static func feeds(_ seed: UInt64, _ reach: FeedReach) async throws -> [[Int]] {
        try await AccountServer.with(reach: reach) { server in
            var world = try await FeedWorld(server, seed: seed)
            var others = SeededGenerator(seed: seed)
            for _ in 0..<12 { try await world.act(FeedWorld.following) }
            for _ in 0..<40 {
                try await world.act(Bool.random(using: &others) ? FeedWorld.posting : FeedWorld.sharing)
                try await carry(server)
                let sleeper =
                    Int.random(in: 0..<5, using: &others) == 0 ? world.people.randomElement(using: &others) : nil
                if reach.entries == tiny.entries { try await sleep(sleeper, server) }
            }
            var feeds: [[Int]] = []
            for reader in world.people.indices { feeds.append(try await world.feed(of: reader)) }
            return feeds
        }
    }

    private static func carry(_ server: AccountServer) async throws {
        while try await server.services.fanOut.step() == .more {}
    }

    private static func sleep(_ sleeper: SessionResponse?, _ server: AccountServer) async throws {
        guard let sleeper else { return }
        try await server.services.database.write { db in
            try FeedFilling(db, of: sleeper.user.id, tiny).fallAsleep()
        }
    }
}
