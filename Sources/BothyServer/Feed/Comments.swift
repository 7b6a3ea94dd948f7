import BothyContract

/// Comments on posts: who may read a post may read them, write them, and reply to them.
package struct Comments: Sendable {
    private let database: any Database
    private let mutations: Mutations
    private let ids: SnowflakeIds

    package init(database: any Database, mutations: Mutations, ids: SnowflakeIds) {
        self.database = database
        self.mutations = mutations
        self.ids = ids
    }

    /// - Throws: `not_found` where there is no such post; `page_invalid`.
    package func page(
        on postId: Int64, after: String?, limit: Int, for caller: Caller
    ) async throws -> CommentsApiResponse {
        let listing = CommentListing(
            limit: limit, after: try PageCursor.read(CommentListing.Position.self, from: after))
        let page = try await database.read {
            try listing.page(in: $0, on: PostAccess($0, reader: caller.userId).require(postId), seenBy: caller.userId)
        }
        return CommentsApiResponse(
            comments: page.comments,
            paging: PaginationMetadata(next: try page.next.map { try PageCursor.text($0) }, limit: limit))
    }

    /// Makes a comment once, however often its request comes, for as long as the comment exists.
    ///
    /// - Throws: `not_found` for the post or the comment to reply to; `invalid_parameter`, `idempotency_mismatch`.
    package func create(
        _ request: NewCommentRequest, on postId: Int64, identity: RequestIdentity, for caller: Caller
    ) async throws -> Mutation<Comment> {
        let (comment, id) = (try NewComment(request), ids.next())
        let hearers = FeedHearers()
        return try await mutations.perform(identity, for: caller, telling: hearers) { db, stamp in
            let comment = try comment.named(in: db)
            let access = PostAccess(db, reader: caller.userId)
            let (comments, head) = (
                CommentTable(db, seenBy: caller.userId), try ChangeLog(db, drive: caller.driveId).head()
            )
            if let known = try identity.requestId.flatMap({ try comments.made(by: $0, of: caller.userId) }) {
                let isSame =
                    known.postId == postId && known.comment.parentCommentId == comment.parent
                    && known.comment.content == comment.text.html
                guard isSame else { throw OutcomeTable.mismatch }
                var made = known.comment
                // The stored outcome, with the number of the first time, is pruned by now.
                if try access.mayRead(postId) {
                    made.commentCount = try Self.count(on: access.require(postId), seenBy: caller, in: db)
                }
                return Mutation(answer: made, cursor: head)
            }
            let post = try access.require(postId)
            let parent = try comment.parent.map { try comments.require($0, on: post) }
            let thread = parent?.threadId ?? id
            try HourlyLimit.comments.require(at: stamp.now) { try comments.written(by: caller.userId, since: $0) }
            try comments.insert(
                comment, id, thread: thread, on: post, by: caller.userId, requestId: identity.requestId,
                now: stamp.now)
            try Telling(db, stamp, to: hearers).commented(
                id, comment.text, on: (postId, post.author.id), replyingTo: parent?.author.id)
            var made = try comments.require(id, on: post)
            made.commentCount = try Self.count(on: post, seenBy: caller, in: db)
            return Mutation(answer: made, cursor: head)
        }
    }

    private static func count(
        on post: PostTable.Row, seenBy caller: Caller, in db: any SQLConnection
    ) throws -> Int {
        try ReactionTable(db).state(of: post.postId, by: post.author.id, seenBy: caller.userId).commentCount
    }

    /// Likes a comment, or takes the like back.
    ///
    /// - Throws: `not_found`; `invalid_parameter` for what is done with posts alone.
    package func interact(
        _ interaction: PostInteraction, with id: Int64, on postId: Int64, identity: RequestIdentity, for caller: Caller
    ) async throws -> Mutation<Comment> {
        guard interaction == .liked || interaction == .removedLike else {
            throw Problem(.invalidParameter, "A comment can only be liked.")
        }
        return try await mutations.perform(identity, for: caller) { db, _ in
            let comments = CommentTable(db, seenBy: caller.userId)
            let post = try PostAccess(db, reader: caller.userId).require(postId)
            _ = try comments.require(id, on: post)
            try comments.setLiked(interaction == .liked, id, on: post, by: caller.userId)
            return Mutation(
                answer: try comments.require(id, on: post),
                cursor: try ChangeLog(db, drive: caller.driveId).head())
        }
    }

    /// What is only noted: the answer to it has nothing in it.
    private struct Noted: Codable, Sendable {}

    /// - Returns: the caller's cursor, which has not moved.
    /// - Throws: `not_found`; `not_yours` for a caller who wrote neither the comment nor the post.
    package func delete(
        _ id: Int64, on postId: Int64, identity: RequestIdentity, for caller: Caller
    ) async throws -> ChangeCursor {
        let hearers = FeedHearers()
        return try await mutations.perform(identity, for: caller, from: .reserve, telling: hearers) { db, _ in
            let comments = CommentTable(db, seenBy: caller.userId)
            let post = try PostAccess(db, reader: caller.userId).require(postId, toDelete: id)
            let comment = try comments.require(id, on: post, withHidden: post.author.id == caller.userId)
            guard [comment.author.id, post.author.id].contains(caller.userId) else {
                throw Problem(.notYours, "Only the author of a comment or of its post can delete it.")
            }
            try comments.delete(id, on: post)
            hearers.addPost(postId)
            return Mutation(answer: Noted(), cursor: try ChangeLog(db, drive: caller.driveId).head())
        }.cursor
    }
}
