import BothyContract

/// What is done with posts: reading feeds, posting, deleting, liking, sharing, marking.
package struct Posts: Sendable {
    private let database: any Database
    private let mutations: Mutations
    private let links: DownloadLinks
    private let media: MediaVariants
    private let ids: SnowflakeIds

    package init(
        database: any Database, mutations: Mutations, links: DownloadLinks, media: MediaVariants, ids: SnowflakeIds
    ) {
        self.database = database
        self.mutations = mutations
        self.links = links
        self.media = media
        self.ids = ids
    }

    // MARK: - Reading

    /// - Parameter since: the `arrival` of an earlier page of the caller's own feed: only what came into it after that.
    /// - Throws: `not_found` where the posts of nobody are asked for; `page_invalid`, `cursor_expired`.
    package func page(
        of source: FeedListing.Source, after: String?, since: String? = nil, limit: Int, for caller: Caller
    ) async throws -> FeedApiResponse {
        let listing = FeedListing(
            source, limit: limit, after: try PageCursor.read(FeedListing.Position.self, from: after))
        let (page, arrival) = try await database.read { db in
            if case .author(let author) = source { _ = try PersonTable(db, seenBy: caller.userId).require(author) }
            var listing = listing
            listing.since = try since.map { try ArrivalCursor.arrival(in: $0, of: caller.userId, in: db) }
            let page = try listing.page(in: db, reader: caller.userId)
            guard case .feed = source else { return (page, ArrivalCursor?.none) }
            return (page, try ArrivalCursor.now(caller.userId, in: db))
        }
        let feed = page.entries.map { entry in
            var preview = entry.preview
            preview.attachmentPreviewImageUrl =
                entry.media.lazy.compactMap {
                    picture(of: $0, .medium, in: preview.postId, by: preview.author.id, for: caller)
                }.first
            return preview
        }
        return FeedApiResponse(
            feed: feed,
            paging: PaginationMetadata(next: try page.next.map { try PageCursor.text($0) }, limit: limit),
            arrival: try arrival.map { try PageCursor.text($0) }, reachesSince: since.map { _ in page.next == nil })
    }

    /// - Throws: `not_found`.
    package func find(_ postId: Int64, for caller: Caller) async throws -> PostDetail {
        let (post, reactions, commentCount, attachments, audience) = try await database.read { db in
            let post = try PostAccess(db, reader: caller.userId).require(postId)
            return (
                post, try ReactionTable(db).reactions(to: postId, by: post.author.id, seenBy: caller.userId),
                try CommentTable(db, seenBy: caller.userId).count(on: postId, by: post.author.id),
                try PostTable(db).attachments(of: postId, by: post.author.id),
                try post.audience.shown(of: post.author.id, in: db)
            )
        }
        let isOwn = post.author.id == caller.userId
        return PostDetail(
            postId: postId, content: post.content, author: post.author, createdAt: post.createdAt,
            liked: reactions.liked, bookmarked: reactions.bookmarked, likeCount: reactions.likeCount,
            shareCount: reactions.shareCount, commentCount: commentCount,
            attachments: attachments.map { row in
                Attachment(
                    id: row.id, type: row.medium.type,
                    contentUrl: address(of: row.medium, in: postId, by: post.author.id, for: caller),
                    previewImageUrl: picture(of: row.medium, .high, in: postId, by: post.author.id, for: caller),
                    caption: row.caption)
            },
            audience: audience, shared: reactions.shared, version: post.edition.version,
            editedAt: post.edition.editedAt, requestId: isOwn ? post.edition.requestId : nil,
            publishAt: isOwn ? post.edition.publishAt : nil)
    }

    /// The address of a picture of what is attached: small where one can be made, the whole where it is a picture itself.
    private func picture(
        of medium: PostMedium, _ quality: MediaQuality, in post: Int64, by author: Int64, for caller: Caller
    ) -> String? {
        let whole = address(of: medium, in: post, by: author, for: caller)
        if media.draws(medium.mimeType) { return quality.address(of: whole) }
        return medium.type == .image ? whole : nil
    }

    private func address(of medium: PostMedium, in post: Int64, by author: Int64, for caller: Caller) -> String {
        links.namelessPath(of: medium.revisionId, in: author, shownBy: post, for: caller)
    }

    // MARK: - Acting

    /// What making a post comes to.
    package struct Made: Codable, Sendable {
        package var postId: Int64
    }

    /// Makes a post once, however often its request comes, for as long as the post is there.
    ///
    /// - Throws: `invalid_parameter`, `idempotency_mismatch`; `draft_posted` where another post was made of its draft.
    package func create(
        _ request: NewPostRequest, identity: RequestIdentity, for caller: Caller
    ) async throws -> Mutation<Made> {
        guard let draft = try PostedDraft(request) else {
            return try await make(request, identity: identity, for: caller)
        }
        do {
            return try await make(request, identity: try draft.identity(request), from: draft, for: caller)
        } catch let problem as Problem where problem.code == .idempotencyMismatch {
            try await database.read { try DraftPosting($0, by: caller.userId).refusePosted(draft.id) }
            throw problem
        }
    }

    private func make(
        _ request: NewPostRequest, identity: RequestIdentity, from draft: PostedDraft? = nil, for caller: Caller
    ) async throws -> Mutation<Made> {
        let post = try NewPost(request)
        let new = PostIds(
            post: ids.next(), attachments: post.attachments.map { _ in ids.next() }, conversation: ids.next())
        let hearers = FeedHearers()
        let made = try await mutations.perform(identity, for: caller, telling: hearers) { db, stamp in
            let post = try post.named(in: db)
            let (posts, head) = (PostTable(db), try ChangeLog(db, drive: caller.driveId).head())
            if let known = try identity.requestId.flatMap({ try posts.made(by: $0, of: caller.userId) }) {
                // What it came to is known for 30 days alone; the post itself tells for longer.
                guard known.content == post.text.html else { throw OutcomeTable.mismatch }
                return Mutation(answer: Made(postId: known.postId), cursor: head)
            }
            try posts.insert(post, new, by: caller.userId, requestId: identity.requestId, now: stamp.now)
            try FeedEntryTable(db).fanOut(new.post, by: caller.userId)
            try PostIndex(db).put(new.post, of: caller.userId, post.text)
            try Telling(db, stamp, to: hearers).posted((new.post, caller.userId), post.text)
            if let draft { try DraftPosting(db, by: caller.userId).posted(draft) }
            return Mutation(answer: Made(postId: new.post), cursor: head)
        }
        let revisions = post.attachments.map(\.revisionId)
        media.prepare([.medium, .high], ofRevisions: revisions, of: caller.driveId)
        return made
    }

    /// What is only noted: the answer to it has nothing in it.
    private struct Noted: Codable, Sendable {}

    /// - Returns: the place in the caller's log, which is where it was.
    /// - Throws: `not_found`, `not_yours`.
    package func delete(_ postId: Int64, identity: RequestIdentity, for caller: Caller) async throws -> ChangeCursor {
        try await mutations.perform(identity, for: caller, from: .reserve) { db, _ in
            let posts = PostTable(db)
            guard try PostAccess(db, reader: caller.userId).require(postId).author.id == caller.userId else {
                throw Problem(.notYours, "Only who wrote a post can delete it.")
            }
            try posts.delete(postId, of: caller.userId)
            return Mutation(answer: Noted(), cursor: try ChangeLog(db, drive: caller.driveId).head())
        }.cursor
    }

    /// - Returns: the place in the caller's log, which is where it was.
    /// - Throws: `not_found`, `idempotency_mismatch`; `not_yours` for sharing what is not to everyone.
    package func interact(
        _ interaction: PostInteraction, on postId: Int64, identity: RequestIdentity, for caller: Caller
    ) async throws -> ChangeCursor {
        let (entryId, hearers) = (ids.next(), FeedHearers())
        return try await mutations.perform(identity, for: caller, telling: hearers) { db, stamp in
            let post = try PostAccess(db, reader: caller.userId).require(postId)
            guard interaction != .shared || post.audience?.kind == .everyone else {
                throw Problem(
                    .notYours, "Only a post to everyone can be shared. Its author chose who reads this one.")
            }
            let isNew = try ReactionTable(db).record(
                interaction, of: caller.userId, on: post, as: entryId)
            if isNew, interaction == .shared { try FeedEntryTable(db).share(post, as: entryId, by: caller.userId) }
            if isNew {
                try Telling(db, stamp, to: hearers).interacted(interaction, with: (postId, post.author.id), id: entryId)
            }
            return Mutation(answer: Noted(), cursor: try ChangeLog(db, drive: caller.driveId).head())
        }.cursor
    }
}
