import BothyContract

/// What others did that concerns a person and was not read yet, by what a device tells of. The server is asked when there is
/// news of it, and not with each look.
package actor UnreadNotifications {
    /// Notifications that are looked at: of more at once, the newest.
    private static let most = 30

    private let notifications: any NotificationsRepository
    /// Names by ids; nil before it was asked for once.
    private var known: [NoticeKind: [String: String]]?
    private var isAsked = false
    private var listening: Task<Void, Never>?

    package init(_ notifications: any NotificationsRepository) { self.notifications = notifications }

    /// - Returns: what is known; empty where the server has not told yet.
    package func look() async -> [NoticeKind: [String: String]] {
        listen()
        if !isAsked {
            isAsked = true
            // Without an answer it is asked again with the next news: there is some as soon as there is a connection.
            if let page = try? await notifications.page(after: nil, limit: Self.most) { known = Self.unread(page) }
        }
        return known ?? [:]
    }

    package func stop() { listening?.cancel() }

    private func listen() {
        guard listening == nil else { return }
        listening = Task { [notifications] in
            // Without news there is nothing to ask again for; what is listened to is the device's own, and fails only as it ends.
            guard let news = try? await notifications.news() else { return }
            for await one in news where one == .notifications { self.askAgain() }
        }
    }

    private func askAgain() { isAsked = false }

    private static func unread(_ page: NotificationPage) -> [NoticeKind: [String: String]] {
        var unread: [NoticeKind: [String: String]] = [.mention: [:], .comment: [:], .follow: [:]]
        for notification in page.notifications where !notification.read {
            guard let kind = notification.kind.known.flatMap(told) else { continue }
            unread[kind]?[String(notification.id)] = notification.actors.first?.name ?? ""
        }
        return unread
    }

    /// - Returns: nil for what is no reason to call somebody.
    private static func told(_ kind: FeedNotification.Kind) -> NoticeKind? {
        switch kind {
        case .mention: .mention
        case .comment, .reply: .comment
        case .follow, .followRequest: .follow
        case .like, .share: nil
        }
    }
}
