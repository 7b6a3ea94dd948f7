import BothyContract
@testable import BothyServer
import Testing

/// What is hidden while it comes into feeds is there once it is not hidden any more, however it came.
@Suite struct HiddenReachTests {
    @Test func whatSomebodyLoudPostedIsThereOnceHerAccountIsEnabled() async throws {
        try await Town.with(batch: 2, mostFollowers: 4) { town in
            let post = try await town.post()
            try await town.expectThereOnceEnabled([post], of: 0, readers: [1])
        }
    }

    @Test func whoComesBackMeanwhileHasItOnceTheAccountIsEnabled() async throws {
        try await Town.with { town in
            try await town.fallAsleep(1)
            let post = try await town.post()
            try await town.expectThereOnceEnabled([post], of: 0, readers: [1])
        }
    }

    @Test func whatIsCarriedMeanwhileIsThereOnceTheAccountIsEnabled() async throws {
        try await Town.with(batch: 2) { town in
            let post = try await town.post()
            try await town.expectThereOnceEnabled([post], of: 0, readers: 1...5)
        }
    }

    @Test func whoScrollsMeanwhileHasWhatIsOlderOnceTheAccountIsEnabled() async throws {
        try await Town.with(entries: 2) { town in
            try await town.follow(4, by: 1)
            let (older, newer) = (try await town.posts(2, by: 4), try await town.posts(4, by: 0))
            try await town.fallAsleep(1)
            try await town.server.services.accounts.setDisabled(email: town.email(of: 4), true)
            #expect(try await town.scrolled(by: 1) == newer.reversed())
            try await town.server.services.accounts.setDisabled(email: town.email(of: 4), false)
            #expect(try await town.scrolled(by: 1) == (older + newer).reversed())
        }
    }

    @Test func whatIsSharedWhileItsAuthorIsBlockedIsThereOnceSheIsNot() async throws {
        try await Town.with { town in
            let (people, author) = (town.server.services.people, town.people[5].user.id)
            try await town.follow(2, by: 1)
            let post = try await town.post(by: 5)
            try await people.setBlocked(true, author, for: town.people[1].caller)
            try await town.interact(.shared, post, by: 2)
            #expect(try await town.page(of: 1).feed.isEmpty)
            try await people.setBlocked(false, author, for: town.people[1].caller)
            #expect(try await town.page(of: 1).feed.map(\.postId) == [post])
        }
    }
}

extension Town {
    /// Readers see nothing of somebody while her account is disabled; afterwards all of it is there, and is news.
    fileprivate func expectThereOnceEnabled(
        _ posts: [Int64], of author: Int, readers: some Sequence<Int>
    ) async throws {
        let accounts = server.services.accounts
        try await accounts.setDisabled(email: email(of: author), true)
        try await carry()
        var arrivals: [(reader: Int, arrival: String?)] = []
        for reader in readers {
            let page = try await page(of: reader)
            #expect(page.feed.isEmpty)
            arrivals.append((reader, page.arrival))
        }
        try await accounts.setDisabled(email: email(of: author), false)
        for (reader, arrival) in arrivals {
            #expect(try await self.page(of: reader, since: arrival).feed.map(\.postId) == posts)
            #expect(try await self.page(of: reader).feed.map(\.postId) == posts)
        }
    }
}
