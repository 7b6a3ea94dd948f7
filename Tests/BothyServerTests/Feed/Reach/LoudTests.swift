import BothyContract
@testable import BothyServer
import Testing

/// Posts of people with very many followers, which come into a feed when its reader looks.
@Suite struct LoudTests {
    @Test func whatSomebodyPostsComesAfterAnotherWhoPostedLastIsGone() async throws {
        try await Town.with(batch: 2, mostFollowers: 4) { town in
            for follower in [0, 2, 3, 4, 5] { try await town.follow(1, by: follower) }
            let before = try await town.post(by: 0)
            for _ in 0..<3 { _ = try await town.post(by: 1) }
            #expect(try await town.page(of: 2).feed.count == 4)
            try await town.server.services.accounts.delete(email: town.email(of: 1))
            let after = try await town.post(by: 0)
            #expect(try await town.page(of: 2).feed.map(\.postId) == [after, before])
        }
    }

    @Test func whatSomebodyPostsIsNewsToWhoOnlyAsksHowManyCame() async throws {
        try await Town.with(batch: 2, mostFollowers: 4) { town in
            let (posts, reader) = (town.server.services.posts, town.people[1].caller)
            let arrival = try await posts.arrivals(since: nil, for: reader).arrival
            _ = try await town.post()
            try await town.carry()
            #expect(try await posts.arrivals(since: arrival, for: reader).count == 1)
        }
    }

    @Test func whatComesToWhoWasAwayIsNewsToo() async throws {
        try await Town.with { town in
            let (posts, reader) = (town.server.services.posts, town.people[1].caller)
            let arrival = try await town.page(of: 1).arrival
            try await town.fallAsleep(1)
            _ = try await town.post()
            #expect(try await posts.arrivals(since: arrival, for: reader).count == 1)
        }
    }

    @Test(arguments: [0, 4])
    func howManyFollowersMakeSomebodyLoudMayBeFewerThanOneTransactionCarriesTo(mostFollowers: Int) async throws {
        try await Town.with(batch: 250, mostFollowers: mostFollowers) { town in
            let post = try await town.post()
            #expect(try await town.readers(of: post) == [town.people[0].user.id])
            #expect(try await town.page(of: 1).feed.map(\.postId) == [post])
        }
    }

    @Test func whoHasJustAsManyFollowersAsAreCarriedToIsNotLoud() async throws {
        try await Town.with(batch: 250, mostFollowers: 5) { town in
            let post = try await town.post()
            #expect(try await town.readers(of: post).count == 6)
        }
    }

    @Test func aServerThatHadPostsOfSomebodyWhoIsGoneGoesOnAfterThem() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("bothy.sqlite")
        let old = try await SQLiteDatabase.open(path: path, migrations: Migration.all.filter { $0.number < 26 })
        try await old.write { db in
            try db.execute(
                """
                INSERT INTO accounts (user_id, email, email_key, display_name, password, created_ms)
                VALUES (1, 'a', 'a', 'a', '', 0)
                """)
            try db.execute("INSERT INTO feed_readers (reader_id, loud_seen) VALUES (1, 10)")
            try db.execute("INSERT INTO loud_authors (author_id, last_number) VALUES (1, 5)")
        }
        try await old.close()
        let database = try await SQLiteDatabase.open(path: path, migrations: Migration.all)
        let last = try await database.read { try LoudEntryTable($0).last() }
        #expect(last == 10)
        try await database.close()
    }
}
