import BothyContract
import Testing

@testable import BothyClient

/// What was done in the feed, as it is counted beside the transfers.
@Suite struct FeedActionsTests {
    private static func operation(
        _ id: Int64, _ action: FeedOperation.Action, on post: Int64? = nil,
        _ state: JournalOperation.State = .queued
    ) -> FeedOperation {
        FeedOperation(
            id: id, requestId: "r\(id)", action: action, subject: LUID(id), postId: post, state: state,
            createdAt: Timestamp(seconds: id))
    }

    private static let comment = FeedOperation.Action.comment(NewCommentRequest(requestId: nil, content: "<p>c</p>"))
    private static let post = FeedOperation.Action.publish(NewPostRequest(requestId: nil, content: "<p>p</p>"))

    /// The page led to the feed, where no comment is.
    @Test func aCommentIsFoundAtItsPost() {
        let actions = FeedActions([
            Self.operation(1, Self.comment, on: 7), Self.operation(2, Self.post),
            Self.operation(3, .interact(.liked), on: 8), Self.operation(4, Self.comment, on: 7),
            Self.operation(5, .follow(true)),
        ])
        #expect(actions == FeedActions(count: 5, places: [.post(7), .feed, .people]))
        // The post itself waits.
        #expect(FeedActions([Self.operation(1, Self.comment)]).places == [.feed])
    }

    @Test func ofManyPlacesTheFirstAreTold() {
        let actions = FeedActions((1...9 as ClosedRange<Int64>).map { Self.operation($0, Self.comment, on: $0) })
        #expect(actions == FeedActions(count: 9, places: [.post(1), .post(2), .post(3), .post(4), .post(5)]))
    }

    /// A comment that was refused was counted as one that waits to be sent.
    @Test func whatWasRefusedIsCountedApart() async throws {
        let device = try await TestDevice("http://127.0.0.1:1")
        let transfers = HomeTransfers(home: device.home, clock: device.clock) { true }
        let store = device.home.feed
        let refused = try await store.record(
            .comment(post: 7, NewCommentRequest(requestId: "c", content: "<p>c</p>")), requestId: "c")
        _ = try await store.record(.interact(post: 8, .liked), requestId: "l")
        #expect(try await transfers.look(most: 10).others == FeedActions(count: 2, places: [.post(7), .feed]))
        try await store.write { db in
            var parked = refused
            parked.state = .parked
            parked.lastError = ClientFailure(.notFound, "There is no such post.")
            try OperationTable.note(parked, in: db)
        }
        let look = try await transfers.look(most: 10)
        #expect(look.refused == FeedActions(count: 1, places: [.post(7)]))
        #expect(look.others == FeedActions(count: 1, places: [.feed]))
        try await device.close()
    }
}
