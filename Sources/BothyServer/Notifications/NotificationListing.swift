import BothyContract

/// A page of what a person was told, newest first.
struct NotificationListing {
    var limit: Int
    var after: Position?

    /// The last one of a page.
    struct Position: Codable, Equatable {
        var notificationId: Int64
    }

    struct Page {
        var notifications: [FeedNotification]
        var unread: Int
        /// Nil on the last page.
        var next: Position?
    }

    /// All there are, joined: several people who like one post are one notification, at the place of the newest.
    static func all(in db: any SQLConnection, for reader: Int64) throws -> [FeedNotification] {
        let table = NotificationTable(db)
        let (rows, readUpTo) = (try table.newest(for: reader), try table.readUpTo(of: reader))
        var (joined, places) = ([FeedNotification](), [Key: Int]())
        for row in rows {
            let key = key(of: row)
            if let place = places[key] {
                joined[place].actorCount += 1
                if joined[place].actors.count < FeedNotification.mostActors { joined[place].actors.append(row.actor) }
            } else {
                places[key] = joined.count
                joined.append(notification(row, isRead: row.id <= readUpTo))
            }
        }
        return joined
    }

    func page(in db: any SQLConnection, for reader: Int64) throws -> Page {
        let all = try Self.all(in: db, for: reader)
        let rest = all.filter { notification in after.map { notification.id < $0.notificationId } ?? true }
        let shown = Array(rest.prefix(limit))
        return Page(
            notifications: shown, unread: all.count { !$0.read },
            next: rest.count > limit ? shown.last.map { Position(notificationId: $0.id) } : nil)
    }

    /// Those that are alike in it are one.
    private struct Key: Hashable {
        var kind: FeedNotification.Kind
        var post: Int64?
        /// Of what stands by itself, its own.
        var id: Int64?
    }

    private static func key(of row: NotificationTable.Row) -> Key {
        switch row.kind {
        case .like, .share: Key(kind: row.kind, post: row.postId)
        case .comment, .reply, .mention, .follow, .followRequest: Key(kind: row.kind, id: row.id)
        }
    }

    private static func notification(_ row: NotificationTable.Row, isRead: Bool) -> FeedNotification {
        FeedNotification(
            notificationId: row.id, kind: row.kind, actors: [row.actor], actorCount: 1, postId: row.postId,
            commentId: row.commentId, excerpt: row.words.flatMap(excerpt), contentWarning: row.warning,
            createdAt: row.createdAt, read: isRead)
    }

    private static func excerpt(_ html: String) -> String? {
        let (text, _) = PostText(html: html).summary(length: FeedNotification.excerptLength)
        let plain = text.plain.replacing("\n", with: " ")
        return plain.isEmpty ? nil : plain
    }
}
