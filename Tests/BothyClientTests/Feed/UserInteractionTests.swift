import BothyContract
import Synchronization
import Testing

@testable import BothyClient

/// What waits of likes, shares and bookmarks, as an app lists it.
@Suite struct UserInteractionTests {
    private func listed(_ feed: TestFeed) async throws -> [UserInteraction] {
        try await feed.store.operations().compactMap { UserInteraction($0, by: 9) }
    }

    @Test func allAreListedInTheirOrderAlsoThoseThatTakeEachOtherBack() async throws {
        let feed = try TestFeed { _ in FeedAnswer() }
        let done: [PostInteraction] = [
            .liked, .removedLike, .shared, .removedShare, .bookmarked, .removedBookmark,
        ]
        for (number, interaction) in done.enumerated() {
            _ = try await feed.store.record(.interact(post: 7, interaction), requestId: "\(number)")
        }
        _ = try await feed.store.record(.publish(NewPostRequest(requestId: "p", content: "a")), requestId: "p")
        _ = try await feed.store.record(.follow(person: 3, true), requestId: "f")
        let listed = try await listed(feed)
        #expect(
            listed.map(\.action.rawValue)
                == ["LIKED", "UNLIKED", "SHARED", "REMOVED_SHARE", "BOOKMARKED", "REMOVED_BOOKMARK"])
        #expect(listed.map(\.id) == listed.map(\.id).sorted() && Set(listed.map(\.id)).count == 6)
        #expect(listed.allSatisfy { $0.postId == 7 && $0.userId == 9 && $0.status == .pending && $0.failureCount == 0 })
        #expect(listed.allSatisfy { $0.createdAt == feed.clock.now() && $0.updatedAt == $0.createdAt })
        _ = try await feed.push()
        #expect(try await self.listed(feed).isEmpty, "the server has them")
    }

    @Test func oneIsFailedBetweenItsTriesAndCountsThem() async throws {
        let stumbles = Mutex(true)
        let feed = try TestFeed { _ in
            if stumbles.withLock({ $0 }) { throw ClientFailure(.serverFailed, "It stumbles.") }
            return FeedAnswer()
        }
        _ = try await feed.store.record(.interact(post: 7, .liked), requestId: "l")
        let madeAt = feed.clock.now()
        for tries in 1...2 {
            feed.clock.jump(seconds: 600)
            _ = try await feed.push()
            let like = try #require(try await listed(feed).first)
            #expect(like.status == .failed && like.failureCount == tries)
            #expect(like.createdAt == madeAt && like.updatedAt == feed.clock.now())
        }
        stumbles.withLock { $0 = false }
        feed.clock.jump(seconds: 600)
        _ = try await feed.push()
        #expect(try await listed(feed).isEmpty)
    }

    @Test func beingWithoutAConnectionIsNoFailure() async throws {
        let feed = try TestFeed { _ in throw ClientFailure(.offline, "There is no connection.") }
        _ = try await feed.store.record(.interact(post: 7, .bookmarked), requestId: "b")
        _ = try await feed.push()
        #expect(try await listed(feed).map(\.status) == [.pending])
        #expect(try await listed(feed).map(\.failureCount) == [0])
    }

    /// It is told, and leaves the list together with what it showed.
    @Test func oneThatIsRefusedForGoodIsToldAsCanceled() async throws {
        let feed = try TestFeed { _ in throw ClientFailure(.refused, "Only a post to everyone can be shared.") }
        _ = try await feed.store.record(.interact(post: 7, .shared), requestId: "s")
        let told = Mutex([UserInteraction]())
        _ = try await feed.runner { event in
            guard case .rolledBack(let operation) = event, let operation = operation as? FeedOperation else { return }
            told.withLock { $0 += [UserInteraction(operation, by: 9)].compactMap(\.self) }
        }.push()
        #expect(told.withLock { $0.map(\.status) } == [.canceled])
        #expect(told.withLock { $0.map(\.action) } == [.shared])
        #expect(try await listed(feed).isEmpty)
    }

    /// As a home of an earlier release has it.
    @Test func oneThatWasRefusedBeforeIsListedAsCanceled() async throws {
        let feed = try TestFeed { _ in FeedAnswer() }
        var like = try await feed.store.record(.interact(post: 7, .liked), requestId: "l")
        like.state = .parked
        like.lastError = ClientFailure(.refused, "No.")
        let parked = like
        try await feed.store.write { db in try OperationTable.note(parked, in: db) }
        #expect(try await listed(feed).map(\.status) == [.canceled])
    }
}
