import BothyContract
import GRDB
import Testing

@testable import BothyClient

/// A home whose feed had an outbox of its own.
@Suite struct FeedCarryOverTests {
    private let old: ClientDatabase
    private let feed: TestFeed

    init() throws {
        old = try .inMemory()
        feed = try TestFeed { _ in FeedAnswer() }
    }

    /// As they lay there.
    private func wait(_ requestId: String, _ action: String, _ state: String = "pending") async throws {
        try await old.write { db in
            try db.execute(
                sql: """
                    INSERT INTO feed_operations (request_id, action, state, attempts, last_error, created_ms)
                    VALUES (?, ?, ?, 2, ?, 1000)
                    """,
                arguments: [
                    requestId, action, state,
                    state == "refused" ? try WireCoding.text(of: ClientFailure(.refused, "No.")) : nil,
                ])
        }
    }

    private func carryOver() async throws {
        try await FeedCarryOver(from: old, to: { [feed] in feed.replica }).run()
    }

    @Test func whatWaitedThereWaitsInTheJournalInItsOrder() async throws {
        try await wait("a", #"{"publish":{"_0":{"content":"<p>a</p>"}}}"#)
        try await wait("b", #"{"interact":{"_1":"LIKED","post":7}}"#)
        try await wait("c", #"{"publish":{"_0":{"content":"<p>posted</p>"}}}"#, "acknowledged")
        try await wait("d", #"{"comment":{"_1":{"content":"<p>d</p>","parentCommentId":9},"post":7}}"#, "refused")
        try await wait("e", #"{"deleteComment":{"_0":11,"post":7}}"#)
        try await wait("f", #"{"delete":{"post":8}}"#)
        try await carryOver()
        let operations = try await feed.store.operations()
        #expect(operations.map(\.requestId) == ["a", "b", "d", "e", "f"])
        #expect(operations.map(\.kind) == ["post", "interact", "comment", "delete_comment", "delete_post"])
        #expect(operations.map(\.postId) == [nil, 7, 7, 7, 8])
        #expect(operations[3].subjectId == 11)
        #expect(operations.map(\.state) == [.queued, .queued, .parked, .queued, .queued])
        #expect(operations[2].lastError?.code == .refused && operations[2].createdAt == Timestamp(milliseconds: 1000))
        #expect(try await feed.store.waiting().map(\.content) == ["<p>a</p>", "<p>d</p>"])
        // Once more, as after a crash before the old table went.
        try await carryOver()
        #expect(try await feed.store.operations().count == 5)
        #expect(try await old.read { db in try !db.tableExists("feed_operations") && !db.tableExists("posts") })
    }

    @Test func aCrashInItsMiddleDoublesNothing() async throws {
        try await wait("a", #"{"publish":{"_0":{"content":"<p>a</p>"}}}"#)
        _ = try await feed.store.record(
            .publish(NewPostRequest(requestId: nil, content: "<p>a</p>")), requestId: "a")
        try await carryOver()
        #expect(try await feed.store.operations().count == 1)
    }

    /// Nothing of it is thrown away: it stays where it is, and the home says so.
    @Test func whatCannotBeReadStopsItInWords() async throws {
        try await wait("a", #"{"tomorrow":{}}"#)
        let failure = await #expect(throws: ClientFailure.self) { try await carryOver() }
        #expect(failure?.code == .homeUnusable && failure?.remedy.isEmpty == false)
        #expect(try await old.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM feed_operations") } == 1)
    }
}
