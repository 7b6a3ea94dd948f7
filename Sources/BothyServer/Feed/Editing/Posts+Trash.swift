import BothyContract

/// A deleted post lies in its author's trash for 30 days that the server lived.
extension Posts {
    /// - Parameter isForGood: whether it goes at once, out of the trash too.
    /// - Returns: the place in the caller's log, which is where it was.
    /// - Throws: `not_found`, `not_yours`.
    package func delete(
        _ postId: Int64, isForGood: Bool = false, identity: RequestIdentity, for caller: Caller
    ) async throws -> ChangeCursor {
        let hearers = FeedHearers()
        return try await mutations.perform(identity, for: caller, from: .reserve, telling: hearers) { db, stamp in
            let posts = PostTable(db)
            Telling(db, stamp, to: hearers).setDeleted(postId)
            if isForGood, try posts.first("p.author_id = ? AND p.post_id = ?", [caller.userId.sql, postId.sql]) != nil {
                try posts.delete(postId, of: caller.userId, lived: stamp.lived)
            } else {
                guard try PostAccess(db, reader: caller.userId).require(postId).author.id == caller.userId else {
                    throw Problem(.notYours, "Only the author of a post can delete it.")
                }
                try posts.setDeleted(postId, of: caller.userId, at: stamp.now, lived: stamp.lived)
            }
            return Mutation(answer: Noted(), cursor: try ChangeLog(db, drive: caller.driveId).head())
        }.cursor
    }

    /// Puts a post back where it was, with what people did with it. One that is there stays as it is.
    ///
    /// - Throws: `not_found`, for what is somebody else's too.
    package func restore(_ postId: Int64, identity: RequestIdentity, for caller: Caller) async throws -> PostDetail {
        let hearers = FeedHearers()
        _ = try await mutations.perform(identity, for: caller, telling: hearers) { [reach] db, stamp in
            let posts = PostTable(db)
            if try posts.require(postId, of: caller.userId).edition.deletedAt != nil {
                try posts.setDeleted(postId, of: caller.userId, at: nil, lived: nil)
                try FanOut(db, reach).restore(postId, by: caller.userId)
                Telling(db, stamp, to: hearers).setDeleted(postId)
            }
            return Mutation(answer: Noted(), cursor: try ChangeLog(db, drive: caller.driveId).head())
        }
        return try await find(postId, for: caller)
    }

    /// The caller's own deleted posts.
    ///
    /// - Throws: `page_invalid`.
    package func trash(after: String?, limit: Int, for caller: Caller) async throws -> TrashedPostsResponse {
        let listing = FeedListing(
            .trash, limit: limit, after: try PageCursor.read(FeedListing.Position.self, from: after))
        let page = try await database.read { try listing.page(in: $0, reader: caller.userId) }
        return TrashedPostsResponse(
            posts: page.entries.map { entry in
                TrashedPost(post: entry.preview, deletedAt: entry.deletedAt ?? entry.preview.createdAt)
            },
            paging: PaginationMetadata(next: try page.next.map { try PageCursor.text($0) }, limit: limit))
    }
}
