import BothyClient
import BothyContract
import Synchronization
import Testing

@Suite struct UnreadNotificationsTests {
    private let feed = MadeUpNotifications()

    @Test func whoMentionedAnsweredOrFollowsIsNamedAndNothingThatWasWritten() async {
        feed.put(1, .mention, "Ann")
        feed.put(2, .reply, "Ben")
        feed.put(3, .followRequest, "Cleo")
        feed.put(4, .like, "Dan")
        feed.put(5, .comment, "Eve", read: true)
        let unread = UnreadNotifications(feed)
        #expect(await unread.look() == [.mention: ["1": "Ann"], .comment: ["2": "Ben"], .follow: ["3": "Cleo"]])
        await unread.stop()
    }

    @Test func theServerIsAskedOnceUntilThereIsNews() async {
        let unread = UnreadNotifications(feed)
        for _ in 0..<3 { _ = await unread.look() }
        #expect(feed.asked == 1)
        feed.put(1, .mention, "Ann")
        feed.tell()
        while await unread.look()[.mention]?.isEmpty ?? true { await Task.yield() }
        #expect(feed.asked == 2)
        await unread.stop()
    }

    @Test func withoutAnAnswerNothingIsKnown() async {
        feed.fail()
        let unread = UnreadNotifications(feed)
        #expect(await unread.look().isEmpty)
        await unread.stop()
    }
}

/// What others did, as a test says.
private final class MadeUpNotifications: NotificationsRepository {
    private struct State {
        var all = [FeedNotification]()
        var asked = 0
        var isAway = false
    }

    private let state = Mutex(State())
    private let heard: AsyncStream<FeedNews>
    private let telling: AsyncStream<FeedNews>.Continuation

    init() { (heard, telling) = AsyncStream<FeedNews>.makeStream() }

    var asked: Int { state.withLock { $0.asked } }
    func fail() { state.withLock { $0.isAway = true } }
    func tell() { telling.yield(.notifications) }

    func put(_ id: Int64, _ kind: FeedNotification.Kind, _ name: String, read: Bool = false) {
        let notification = FeedNotification(
            notificationId: id, kind: kind, actors: [AuthorPreview(id: id, name: name)], actorCount: 1,
            excerpt: "secret", createdAt: Timestamp(seconds: id), read: read)
        state.withLock { $0.all.insert(notification, at: 0) }
    }

    func page(after place: String?, limit: Int) async throws -> NotificationPage {
        try state.withLock { state in
            state.asked += 1
            if state.isAway { throw ClientFailure(.offline, "Nobody answers.") }
            return NotificationPage(notifications: state.all, unread: state.all.count, next: nil)
        }
    }

    func read(upTo id: Int64) async throws -> Int { 0 }

    func news(of post: Int64?) async throws -> AsyncStream<FeedNews> { heard }
}
