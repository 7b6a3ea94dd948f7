import BothyClient
import BothyContract
import BothyServer

/// What others did that concerns a person, straight from the server's database.
struct HostedNotifications: NotificationsRepository {
    /// Seconds between two looks whether the browser is still signed in.
    private static let quiet = 25.0

    private let services: ServerServices
    private let caller: Caller

    init(_ services: ServerServices, _ caller: Caller) {
        self.services = services
        self.caller = caller
    }

    func page(after place: String?, limit: Int) async throws -> NotificationPage {
        try await failing {
            NotificationPage(try await services.notifications.page(after: place, limit: limit, for: caller))
        }
    }

    @discardableResult
    func read(upTo id: Int64) async throws -> Int {
        try await failing {
            try await services.notifications.read(NotificationsReadRequest(upTo: id), for: caller).unread
        }
    }

    func news(of post: Int64?) async throws -> AsyncStream<FeedNews> {
        let notifier = services.notifier
        let joined = await notifier.join(
            driveId: caller.driveId, deviceId: caller.deviceId, topics: [.feed, .notifications], post: post)
        guard let ticket = joined else { throw ClientFailure(.serverBusy, "Too many pages are open.") }
        let (stream, continuation) = AsyncStream<FeedNews>.makeStream(bufferingPolicy: .bufferingNewest(8))
        let listening = Task { [services, caller] in
            loop: while true {
                let wake = await notifier.next(ticket, within: Self.quiet)
                // One that cannot be asked now is asked again with the next news.
                guard wake != .ended, (try? await services.sessions.holds(caller)) ?? true else { break loop }
                guard case .told(let topics) = wake else { continue }
                for topic in topics { FeedNews(rawValue: topic.rawValue).map { _ = continuation.yield($0) } }
            }
            await notifier.leave(ticket)
            continuation.finish()
        }
        continuation.onTermination = { _ in listening.cancel() }
        return stream
    }
}
