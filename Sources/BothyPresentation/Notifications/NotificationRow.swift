import BothyClient
import BothyContract

/// What somebody was told of, as a list draws it.
public struct NotificationRow: Equatable, Sendable, Identifiable {
    public var id: Int64
    /// «Anna and 3 others liked your post».
    public var text: String
    /// That of the person who did it last.
    public var face: Face
    /// The beginning of what it is about, or the warning before that; nil where it is about nothing that was written.
    public var excerpt: String?
    /// «14:03», «20 Nov».
    public var date: String
    public var createdAt: Timestamp
    public var isUnread: Bool
    /// Where it leads.
    public var place: Destination
    /// The comment on that place that it is about.
    public var comment: Int64?

    /// - Returns: nil for what only newer screens have words for.
    init?(_ notification: FeedNotification, words: Words, clock: PersonsClock) {
        guard let kind = notification.kind.known else { return nil }
        id = notification.id
        text = words.filled(Self.deed(kind), Self.names(notification, words))
        face = notification.actors.first.map { Face($0) } ?? Face(name: "", id: 0, pictureAt: nil)
        excerpt =
            notification.excerpt
            ?? notification.contentWarning.map { words.filled(.contentWarningOf, ShownName.of($0)) }
        date = words.date(notification.createdAt, at: clock)
        createdAt = notification.createdAt
        isUnread = !notification.read
        place =
            notification.postId.map { .post($0) } ?? notification.actors.first.map { .postsOf($0.id) } ?? .notifications
        comment = notification.commentId
    }

    private static func names(_ notification: FeedNotification, _ words: Words) -> String {
        let names = notification.actors.map { ShownName.of($0.name) }
        guard let first = names.first else { return words[.somebody] }
        if notification.actorCount == 1 { return first }
        if notification.actorCount == 2, names.count == 2 { return words.filled(.namesTwo, first, names[1]) }
        return words.filled(.namesMany, first, words.counted.number(notification.actorCount - 1))
    }

    private static func deed(_ kind: FeedNotification.Kind) -> Phrase {
        switch kind {
        case .like: .toldLike
        case .share: .toldShare
        case .comment: .toldComment
        case .reply: .toldReply
        case .mention: .toldMention
        case .follow: .toldFollow
        case .followRequest: .toldFollowRequest
        }
    }
}
