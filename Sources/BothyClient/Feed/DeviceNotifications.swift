import BothyContract

/// What others did that concerns the person who is signed in here. It is the server's to say.
package struct DeviceNotifications: NotificationsRepository {
    private let remote: FeedWordsRemoteSource
    private let board: FeedNewsBoard

    init(_ remote: FeedWordsRemoteSource, _ board: FeedNewsBoard) {
        self.remote = remote
        self.board = board
    }

    package func page(after place: String?, limit: Int) async throws -> NotificationPage {
        NotificationPage(try await remote.notifications(after: place, limit: limit))
    }

    @discardableResult
    package func read(upTo id: Int64) async throws -> Int { try await remote.read(upTo: id).unread }

    package func news() async throws -> AsyncStream<FeedNews> { board.news() }
}
