import BothyContract

/// Editing, and what a post said before.
extension Posts {
    /// - Returns: the post as it is then.
    /// - Throws: `not_found`, `not_yours`, `post_changed`, `invalid_parameter`, `idempotency_mismatch`.
    package func edit(
        _ postId: Int64, _ request: EditPostRequest, identity: RequestIdentity, for caller: Caller
    ) async throws -> PostDetail {
        let edit = try PostEdit(request)
        try await requireMedia(edit.attachments ?? [], of: caller)
        let new = PostIds(
            post: postId, attachments: (edit.attachments ?? []).map { _ in ids.next() }, conversation: ids.next())
        let hearers = FeedHearers()
        _ = try await mutations.perform(identity, for: caller, telling: hearers) { db, stamp in
            let post = try PostAccess(db, reader: caller.userId).require(postId)
            guard post.author.id == caller.userId else {
                throw Problem(.notYours, "Only the author of a post can edit it.")
            }
            try edit.make(to: post, ids: new, at: stamp, reach, telling: hearers, in: db)
            return Mutation(answer: Noted(), cursor: try ChangeLog(db, drive: caller.driveId).head())
        }
        prepare(edit.attachments ?? [], for: caller)
        return try await find(postId, for: caller)
    }

    /// What a post says and has said, as far as its author let it stay, for those who may read it.
    ///
    /// - Throws: `not_found`.
    package func history(of postId: Int64, for caller: Caller) async throws -> PostHistoryResponse {
        try await database.read { db in
            let post = try PostAccess(db, reader: caller.userId).require(postId)
            let now = PostVersion(
                version: post.edition.version, content: post.content, contentWarning: post.edition.contentWarning,
                createdAt: post.edition.editedAt ?? post.createdAt)
            return PostHistoryResponse(versions: try [now] + PostVersionTable(db).all(of: post))
        }
    }

    /// What a post said before is forgotten.
    ///
    /// - Returns: the place in the caller's log, which is where it was.
    /// - Throws: `not_found`, `not_yours`.
    package func cutHistory(
        of postId: Int64, identity: RequestIdentity, for caller: Caller
    ) async throws -> ChangeCursor {
        try await mutations.perform(identity, for: caller, from: .reserve) { db, _ in
            let post = try PostAccess(db, reader: caller.userId).require(postId)
            guard post.author.id == caller.userId else {
                throw Problem(.notYours, "Only the author of a post can remove its history.")
            }
            try PostVersionTable(db).delete(of: post)
            return Mutation(answer: Noted(), cursor: try ChangeLog(db, drive: caller.driveId).head())
        }.cursor
    }
}
