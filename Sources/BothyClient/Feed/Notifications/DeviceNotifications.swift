import BothyContract

/// What others did that concerns the person who is signed in here. It is the server's to say, and the newest of it is kept here for when it
/// cannot be asked.
package struct DeviceNotifications: NotificationsRepository {
    private let remote: FeedWordsRemoteSource
    private let store: FeedStore
    private let board: FeedNewsBoard
    private let openPost: OpenPostNews

    init(_ remote: FeedWordsRemoteSource, store: FeedStore, _ board: FeedNewsBoard, openPost: OpenPostNews) {
        self.remote = remote
        self.store = store
        self.board = board
        self.openPost = openPost
    }

    package func page(after place: String?, limit: Int) async throws -> NotificationPage {
        do {
            let answer = try await remote.notifications(after: place, limit: limit)
            // A caller that asks for fewer wants to know how many there are.
            if place == nil, limit >= FeedLimits.defaultPage { try await store.keep(answer, as: .notifications) }
            return NotificationPage(answer)
        } catch let failure as ClientFailure where failure.leavesWhatIsKnown && place == nil {
            guard let kept: NotificationsResponse = try await store.kept(.notifications) else { throw failure }
            var page = NotificationPage(kept)
            (page.notifications, page.next) = (Array(page.notifications.prefix(limit)), nil)
            page.unreached = failure
            return page
        }
    }

    @discardableResult
    package func read(upTo id: Int64) async throws -> Int {
        let answer = try await remote.read(upTo: id)
        if var kept: NotificationsResponse = try await store.kept(.notifications) {
            for place in kept.notifications.indices where kept.notifications[place].notificationId <= answer.readUpTo {
                kept.notifications[place].read = true
            }
            kept.unread = answer.unread
            try await store.keep(kept, as: .notifications)
        }
        return answer.unread
    }

    package func news(of post: Int64?) async throws -> AsyncStream<FeedNews> {
        let all = board.news()
        guard let post else { return all }
        let (news, continuation) = AsyncStream<FeedNews>.makeStream(bufferingPolicy: .bufferingNewest(8))
        let listening = Task { [openPost] in
            async let ofPost: Void = openPost.listen(to: post) { continuation.yield(.post) }
            // Which post the other stream speaks of is not known there.
            for await one in all where one != .post { continuation.yield(one) }
            await ofPost
        }
        continuation.onTermination = { _ in listening.cancel() }
        return news
    }
}
