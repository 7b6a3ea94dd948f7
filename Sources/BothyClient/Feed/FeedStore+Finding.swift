import BothyContract
import GRDB

/// Posts that are kept here, found by their authors and by what they say.
extension FeedStore {
    /// What is kept of one person's posts, the newest first.
    func posts(of author: Int64, after place: KeptPlace?, limit: Int) async throws -> FeedPage {
        try await read { db in
            let overlay = FeedOverlay(try FeedOperationTable.all(in: db))
            let found = try PostTable.newest(below: place?.post, most: limit + 1, in: db) { post in
                post.author.id == author ? overlay.applied(to: post) : nil
            }
            let shown = Array(found.prefix(limit))
            return FeedPage(
                posts: shown, next: found.count > limit ? shown.last.map { KeptPlace(after: $0.postId).text } : nil)
        }
    }

    /// What a search finds here, from a place on.
    ///
    /// - Parameter isAsked: the server has answered: what is kept here is not looked through.
    func findings(
        of match: PostMatch, after place: KeptPlace?, limit: Int, isAsked: Bool
    ) async throws -> PostFindings {
        try await read { db in
            let operations = try FeedOperationTable.all(in: db)
            let overlay = FeedOverlay(operations)
            let kept = try PostTable.newest(below: place?.post, most: isAsked ? 0 : limit + 1, in: db) { post in
                // All of a text that was opened here, and the beginning of any other.
                let html = try PostTable.detail(of: post.postId, in: db)?.content ?? post.contentSummary
                return match.finds(PostText(html: html), warning: post.contentWarning)
                    ? overlay.applied(to: post) : nil
            }
            return PostFindings(
                place: place, limit: limit, overlay: overlay, kept: kept,
                waiting: place == nil ? try Self.waiting(operations, found: match, in: db) : [])
        }
    }

    /// Posts that match and are not in the feed yet, the newest first. One whose answer was lost may be kept here already.
    private static func waiting(
        _ operations: [FeedOperation], found match: PostMatch, in db: Database
    ) throws -> [PostFindings.Waiting] {
        try operations.reversed().compactMap { operation in
            guard case .publish(let request) = operation.action,
                // The server makes references of what it is sent.
                match.finds(
                    PostNaming.named(PostText(html: request.content), people: [:]), warning: request.contentWarning),
                try !(operation.sent && operation.isShown && PostTable.isKept(madeBy: operation.requestId, in: db)),
                let post = try operation.waitingPost(in: db)
            else { return nil }
            return PostFindings.Waiting(post: post, requestId: operation.requestId)
        }
    }
}
