import BothyContract

/// What people were told of what others did.
package struct FeedNotifications: Sendable {
    private let database: any Database
    private let notifier: Notifier

    package init(database: any Database, notifier: Notifier) {
        self.database = database
        self.notifier = notifier
    }

    /// - Throws: `page_invalid`.
    package func page(after: String?, limit: Int, for caller: Caller) async throws -> NotificationsResponse {
        let listing = NotificationListing(
            limit: limit, after: try PageCursor.read(NotificationListing.Position.self, from: after))
        let page = try await database.read { try listing.page(in: $0, for: caller.userId) }
        return NotificationsResponse(
            notifications: page.notifications, unread: page.unread,
            paging: PaginationMetadata(next: try page.next.map { try PageCursor.text($0) }, limit: limit))
    }

    /// - Throws: `invalid_parameter` for what is no place.
    package func read(_ request: NotificationsReadRequest, for caller: Caller) async throws -> NotificationsReadResponse
    {
        guard request.upTo >= 0 else {
            throw Problem(.invalidParameter, "“upTo” should be the “notificationId” of the newest that was read.")
        }
        let (before, answer) = try await database.write(from: .reserve) { db in
            let table = NotificationTable(db)
            let before = try table.readUpTo(of: caller.userId)
            try table.setRead(upTo: request.upTo, of: caller.userId)
            let unread = try NotificationListing.all(in: db, for: caller.userId).count { !$0.read }
            return (
                before, NotificationsReadResponse(readUpTo: try table.readUpTo(of: caller.userId), unread: unread)
            )
        }
        // Other screens of hers show how many there are, too.
        if answer.readUpTo != before { await notifier.tell(.notifications, to: [caller.userId]) }
        return answer
    }
}
