import BothyContract
@testable import BothyServer
import Testing

/// Somebody with followers posts: what is carried to whom, and when.
@Suite struct FanOutTests {
    @Test func whomOneBatchReachesHasItAtOnceAndOfMoreFollowersNobodyKeepsTheAuthorWaiting() async throws {
        try await Town.with(batch: 6) { town in
            let post = try await town.post()
            #expect(try await town.readers(of: post).count == 6)
        }
        try await Town.with(batch: 2) { town in
            let post = try await town.post()
            #expect(try await town.readers(of: post).count == 1, "the author")
            _ = try await town.server.services.fanOut.step()
            #expect(try await town.readers(of: post).count == 3, "and the first two followers")
            try await town.carry()
            #expect(try await town.readers(of: post).count == 6)
        }
    }

    @Test func whatAServerThatStoppedLeftIsCarriedByTheNextOne() async throws {
        let folder = try TemporaryFolder()
        var reach = FeedReach()
        reach.batch = 2
        let post = try await AccountServer.with(folder: folder, reach: reach) { server in
            let town = try await Town(server)
            let post = try await town.post()
            _ = try await server.services.fanOut.step()
            return post
        }
        try await AccountServer.with(folder: folder, reach: reach) { server in
            while try await server.services.fanOut.step() == .more {}
            #expect(try await Town.readers(of: post, server).count == 6)
        }
    }

    @Test func aShareThatIsTakenBackOnItsWayIsCarriedNoFurther() async throws {
        try await Town.with(batch: 2) { town in
            let post = try await town.post(by: 5)
            try await town.carry()
            let before = try await town.readers(of: post)
            try await town.interact(.shared, post, by: 0)
            _ = try await town.server.services.fanOut.step()
            #expect(try await town.readers(of: post).count > before.count)
            try await town.interact(.removedShare, post, by: 0)
            try await town.carry()
            #expect(try await town.readers(of: post) == before)
        }
    }

    @Test func aPostIsThereThoughItCameBeforeByAShareOfSomebodyMuted() async throws {
        try await Town.with(batch: 1) { town in
            try await town.follow(3, by: 5)
            try await town.server.services.people.setMuted(
                true, town.people[3].user.id, for: town.people[5].caller)
            let early = try await town.page(of: 5).arrival
            let post = try await town.post()
            try await town.interact(.shared, post, by: 3)
            for page in [try await town.page(of: 5), try await town.page(of: 5, since: early)] {
                #expect(page.feed.map(\.postId) == [post] && page.feed.allSatisfy { $0.sharedBy == nil })
            }
            try await town.carry()
            let news = try await town.page(of: 5, since: early)
            #expect(news.feed.map(\.postId) == [post] && news.feed.allSatisfy { $0.sharedBy == nil })
        }
    }

    @Test func whatSomebodyLoudPostsCostsNoFeedUntilItIsRead() async throws {
        try await Town.with(batch: 2, mostFollowers: 4) { town in
            let arrival = try await town.page(of: 1).arrival
            let post = try await town.post()
            try await town.carry()
            #expect(try await town.readers(of: post) == [town.people[0].user.id])
            let news = try await town.page(of: 1, since: arrival)
            #expect(news.feed.map(\.postId) == [post] && news.reachesSince == true)
            #expect(try await town.page(of: 2).feed.map(\.postId) == [post])
            #expect(try await town.readers(of: post).count == 3)
        }
    }

    @Test func aShareOfSomebodyLoudThatIsTakenBackIsBroughtToNobody() async throws {
        try await Town.with(batch: 2, mostFollowers: 4) { town in
            let post = try await town.post(by: 5)
            try await town.interact(.shared, post, by: 0)
            #expect(try await town.page(of: 1).feed.map(\.postId) == [post], "whoever comes in time has it")
            try await town.interact(.removedShare, post, by: 0)
            for reader in 1...2 { #expect(try await town.page(of: reader).feed.isEmpty) }
        }
    }

    @Test func whatIsPostedToPeopleByNameIsCarriedToNobodyElse() async throws {
        try await Town.with(batch: 2, mostFollowers: 4) { town in
            let post = try await town.post(
                to: NewPostAudience(kind: .people, people: [town.people[3].user.id]))
            #expect(try await town.readers(of: post) == Set([0, 3].map { town.people[$0].user.id }))
            #expect(try await town.server.services.fanOut.step() == .done)
        }
    }

    @Test func aFeedThatNobodyReadsIsWrittenNoMoreAndIsWholeForWhoComesBack() async throws {
        try await Town.with(entries: 3) { town in
            var posts: [Int64] = []
            for _ in 0..<5 { posts.append(try await town.post()) }
            #expect(try await town.page(of: 1).feed.map(\.postId) == posts.reversed())
            try await town.wait(days: 31)
            _ = try await town.page(of: 2)
            while try await town.server.services.feedSleep.step() == .more {}
            for _ in 0..<2 { posts.append(try await town.post()) }
            #expect(try await town.entries(of: 1) == 3, "what is likely to be read is kept")
            #expect(try await town.entries(of: 2) == 7)
            let first = try await town.page(of: 1, limit: 4)
            let rest = try await town.page(of: 1, after: first.paging.next, limit: 4)
            #expect((first.feed + rest.feed).map(\.postId) == posts.reversed())
            #expect(rest.paging.next == nil)
        }
    }

    /// A feed of any length was cut in one transaction.
    @Test func aLongFeedIsCutInSeveralTransactionsAndIsWholeForWhoComesMeanwhile() async throws {
        var reach = FeedReach()
        reach.entries = 3
        try await AccountServer.with(reach: reach) { server in
            let town = try await Town(server)
            var posts: [Int64] = []
            for _ in 0..<2 { posts.append(try await town.post()) }
            let early = try await town.page(of: 1).arrival
            for _ in 0..<7 { posts.append(try await town.post()) }
            _ = try await town.page(of: 1)
            try await town.wait(days: 31)
            let (database, lived) = (server.services.database, server.services.lived)
            let sleep = FeedSleep(database: database, lived: { lived.now() }, reach: reach, mostRows: 2)
            _ = try await sleep.step()
            #expect(try await town.entries(of: 1) == 7)
            var (shown, next): ([Int64], String?) = ([], nil)
            repeat {
                let page = try await town.page(of: 1, after: next, limit: 4)
                shown += page.feed.map(\.postId)
                next = page.paging.next
            } while next != nil
            #expect(shown == posts.reversed())
            try await town.wait(days: 31)
            while try await sleep.step() == .more {}
            #expect(try await town.entries(of: 1) == 3)
            #expect(try await town.page(of: 1, since: early).reachesSince == false, "some of what came since is cut")
        }
    }
}
