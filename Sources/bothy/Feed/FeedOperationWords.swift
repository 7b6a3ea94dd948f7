import BothyClient
import BothyContract

/// What was done in the feed, in a person's words.
enum FeedOperationWords {
    /// Characters of a text that name it.
    private static let mostCharacters = 40

    /// «post “The hut is open again.”».
    static func deed(_ operation: FeedOperation) -> String {
        let post = operation.postId.map { "the post \(PostWords.digits($0))" } ?? "a post that waits"
        return switch operation.action {
        case .publish(let request):
            "post \(quoted(request.content))\(AudienceWords.suffix(request.audience))"
                + (request.publishAt.map { " on \(MomentText.text($0))" } ?? "")
        case .delete: "delete \(post)"
        case .interact(.liked): "like \(post)"
        case .interact(.removedLike): "unlike \(post)"
        case .interact(.shared): "share \(post)"
        case .interact(.removedShare): "undo the share of \(post)"
        case .interact(.bookmarked): "bookmark \(post)"
        case .interact(.removedBookmark): "remove the bookmark of \(post)"
        case .comment(let request): "comment \(quoted(request.content)) on \(post)"
        case .deleteComment: "delete a comment on \(post)"
        case .follow(true): "follow somebody"
        case .follow(false): "unfollow somebody"
        }
    }

    private static func quoted(_ html: String) -> String {
        let words = PostText(html: html).plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !words.isEmpty else { return "pictures" }
        return words.count <= mostCharacters ? "“\(words)”" : "“\(words.prefix(mostCharacters))…”"
    }
}
