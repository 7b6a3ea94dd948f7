import BothyClient
import BothyContract

/// What a person was told of, as lines of a terminal.
enum NotificationWords {
    static func line(_ notification: FeedNotification) -> String {
        let about = [
            notification.excerpt.map { "“\($0)”" }, notification.contentWarning.map(PostWords.warning),
            notification.postId.map { PostWords.digits($0) },
            MomentText.text(notification.createdAt),
        ].compactMap { $0 }
        return "\(notification.read ? " " : "*") \(names(notification)) \(deed(notification.kind)) · "
            + about.joined(separator: " · ")
    }

    /// «Anna», «Anna and Ben», «Anna and 3 others».
    private static func names(_ notification: FeedNotification) -> String {
        let (first, others) = (notification.actors.first?.name ?? "Somebody", notification.actorCount - 1)
        if others == 1, notification.actors.count == 2 { return "\(first) and \(notification.actors[1].name)" }
        return others > 0 ? "\(first) and \(others) other\(others == 1 ? "" : "s")" : first
    }

    private static func deed(_ kind: OpenWord<FeedNotification.Kind>) -> String {
        switch kind.known {
        case .like: "liked your post"
        case .share: "shared your post"
        case .comment: "commented on your post"
        case .reply: "replied to your comment"
        case .mention: "mentioned you"
        case .follow: "follows you"
        case .followRequest: "asks to follow you"
        // A newer server's: told as it is.
        case nil: kind.rawValue
        }
    }
}
