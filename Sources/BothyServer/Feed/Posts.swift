import BothyContract

/// What is done with posts: reading feeds and posting; and, in files of their own, editing, deleting, liking, sharing, marking.
package struct Posts: Sendable {
    let database: any Database
    let mutations: Mutations
    private let links: DownloadLinks
    let media: MediaVariants
    let looks: AttachmentLooks
    let ids: SnowflakeIds
    let clock: any ServerClock
    /// For what no request does: posts that come out at their time.
    let telling: TellingGround
    package let reading: FeedReading

    package init(
        database: any Database, mutations: Mutations, links: DownloadLinks, media: MediaVariants, ids: SnowflakeIds,
        clock: any ServerClock, telling: TellingGround, reading: FeedReading
    ) {
        self.database = database
        self.mutations = mutations
        self.links = links
        self.media = media
        looks = AttachmentLooks(database: database, media: media)
        self.ids = ids
        self.clock = clock
        self.telling = telling
        self.reading = reading
    }

    var reach: FeedReach { reading.reach }

    // MARK: - Reading

    /// - Parameters:
    ///   - since: the `arrival` of an earlier page of the caller's own feed: only what came into it after that.
    ///   - above: an entry of the caller's own feed: the page with the oldest of those that are newer, and `next` for the page above that.
    /// - Throws: `not_found` where the posts of nobody are asked for; `page_invalid`, `cursor_expired`; `invalid_parameter` for `above`
    ///   beside another place.
    package func page(
        of source: FeedListing.Source, after: String?, since: String? = nil, above: Int64? = nil, limit: Int,
        for caller: Caller
    ) async throws -> FeedApiResponse {
        guard above == nil || (after == nil && since == nil) else {
            throw Problem(.invalidParameter, "“above” is used without “after” and “since”.")
        }
        var listing = FeedListing(
            source, limit: limit, after: try PageCursor.read(FeedListing.Position.self, from: after))
        listing.above = above
        guard case .feed = source else {
            let page = try await database.read { [listing] db in
                if case .author(let author) = source { _ = try PersonTable(db, seenBy: caller.userId).require(author) }
                if case .conversation(let id) = source { try ConversationTable(db).require(id, of: caller.userId) }
                return try listing.page(in: db, reader: caller.userId)
            }
            return try response(page, limit: limit, for: caller)
        }
        if let since {
            listing.since = try await database.read { try ArrivalCursor.arrival(in: since, of: caller.userId, in: $0) }
        }
        let read = try await reading.page(listing, of: caller.userId)
        var answer = try response(read.page, limit: limit, isUp: above != nil, for: caller)
        answer.arrival = try PageCursor.text(read.arrival)
        answer.reachesSince = read.reachesSince
        return answer
    }

    private func response(
        _ page: FeedListing.Page, limit: Int, isUp: Bool = false, for caller: Caller
    ) throws -> FeedApiResponse {
        let next = try page.next.map { isUp ? String($0.entryId) : try PageCursor.text($0) }
        return FeedApiResponse(
            feed: page.entries.map { preview(of: $0, for: caller) },
            paging: PaginationMetadata(next: next, limit: limit))
    }

    /// With the address of its picture.
    func preview(of entry: FeedListing.Entry, for caller: Caller) -> PostPreview {
        var preview = entry.preview
        for medium in entry.media {
            let address = picture(of: medium, .medium, in: preview.postId, by: preview.author.id, for: caller)
            guard let address else { continue }
            preview.attachmentPreviewImageUrl = address
            preview.attachmentPreviewWidth = medium.look.width
            preview.attachmentPreviewHeight = medium.look.height
            preview.attachmentPreviewPlaceholder = medium.look.placeholder
            break
        }
        return preview
    }

    /// - Throws: `not_found`.
    package func find(_ postId: Int64, for caller: Caller) async throws -> PostDetail {
        let (post, state, attachments, audience) = try await database.read { db in
            let post = try PostAccess(db, reader: caller.userId).require(postId)
            return (
                post, try ReactionTable(db).state(of: postId, by: post.author.id, seenBy: caller.userId),
                try AttachmentTable(db, of: post.author.id).rows(of: .post(postId)),
                try post.audience.shown(of: post.author.id, in: db)
            )
        }
        let isOwn = post.author.id == caller.userId
        return PostDetail(
            postId: postId, content: post.content, author: post.author, createdAt: post.createdAt,
            liked: state.liked, bookmarked: state.bookmarked, likeCount: state.likeCount,
            shareCount: state.shareCount, commentCount: state.commentCount,
            attachments: attachments.map { attachment($0, of: post.author.id, shownBy: postId, for: caller) },
            audience: audience, shared: state.shared, version: post.edition.version,
            editedAt: post.edition.editedAt, requestId: isOwn ? post.edition.requestId : nil,
            publishAt: isOwn ? post.edition.publishAt : nil, contentWarning: post.edition.contentWarning)
    }

    private func attachment(
        _ row: AttachmentTable.Row, of author: Int64, shownBy postId: Int64, for caller: Caller
    ) -> Attachment {
        Attachment(
            id: row.id, type: row.medium.type,
            contentUrl: address(of: row.medium, in: postId, by: author, for: caller),
            previewImageUrl: picture(of: row.medium, .high, in: postId, by: author, for: caller),
            caption: row.caption, width: row.medium.look.width, height: row.medium.look.height,
            durationMs: row.medium.look.durationMs, placeholder: row.medium.look.placeholder)
    }

    /// Of what is not posted yet: its author reads it as a file of her own.
    func ownAttachment(_ row: AttachmentTable.Row, for caller: Caller) -> Attachment {
        let whole = links.path(of: row.medium.revisionId, for: caller)
        let picture =
            media.draws(row.medium.mimeType)
            ? MediaQuality.high.address(of: whole) : row.medium.type == .image ? whole : nil
        return Attachment(
            id: row.id, type: row.medium.type, contentUrl: whole, previewImageUrl: picture, caption: row.caption)
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
        /// The post's; of one that waits for its time, the id that it waits under.
        package var postId: Int64
        /// Nil for a post.
        package var isScheduled: Bool?
        /// Nil for what no draft became.
        var isOfDraft: Bool?

        /// Where it is.
        package var path: String { (isScheduled == true ? "/v1/posts/scheduled/" : "/v1/posts/") + String(postId) }
    }

    /// Makes a post once, however often its request comes, also when the post is deleted by then.
    ///
    /// - Throws: `invalid_parameter`, `idempotency_mismatch`, `too_many_requests`; `draft_posted` where another post was made of its draft.
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
        try await requireMedia(post.attachments, of: caller)
        let new = PostIds(
            post: ids.next(), attachments: post.attachments.map { _ in ids.next() }, conversation: ids.next())
        let hearers = FeedHearers()
        let made = try await mutations.perform(identity, for: caller, telling: hearers) { db, stamp in
            let post = try post.named(in: db)
            let (posts, head) = (PostTable(db), try ChangeLog(db, drive: caller.driveId).head())
            let scheduled = ScheduledPostTable(db, of: caller.userId)
            if let known = try identity.requestId.flatMap(scheduled.made) {
                guard known.content == post.text.html else { throw OutcomeTable.mismatch }
                return Mutation(answer: Made(postId: known.id, isScheduled: true), cursor: head)
            }
            if let known = try identity.requestId.flatMap({ try posts.made(by: $0, of: caller.userId) }) {
                // What it came to is known for 30 days alone; the post itself tells for longer.
                guard known.content == nil || known.content == post.text.html else { throw OutcomeTable.mismatch }
                return Mutation(answer: Made(postId: known.postId), cursor: head)
            }
            try HourlyLimit.posts.require(at: stamp.now) { try posts.posted(by: caller.userId, since: $0) }
            let audience = try StoredAudience.made(
                of: post.audience, by: caller.userId, conversationId: new.conversation, in: db)
            if let draft { try DraftPosting(db, by: caller.userId).posted(draft) }
            if let time = try post.time(after: stamp.now) {
                try scheduled.insert(
                    post, to: audience, at: time, as: new.post, new.attachments, requestId: identity.requestId)
                return Mutation(
                    answer: Made(postId: new.post, isScheduled: true, isOfDraft: draft.map { _ in true }), cursor: head)
            }
            try posts.insert(
                post.text, post.attachments, warning: post.contentWarning, to: audience, new, by: caller.userId,
                requestId: identity.requestId, now: stamp.now)
            try FanOut(db, reach).post(new.post, by: caller.userId)
            try PostIndex(db).put(new.post, of: caller.userId, post.text)
            try Telling(db, stamp, to: hearers).posted((new.post, caller.userId), post.text)
            return Mutation(answer: Made(postId: new.post), cursor: head)
        }
        prepare(post.attachments, for: caller)
        return made
    }

    /// What will be asked for of what is attached is made now.
    func prepare(_ attachments: [NewPost.Attachment], for caller: Caller) {
        let revisions = attachments.map(\.revisionId)
        media.prepare([.medium, .high], ofRevisions: revisions, of: caller.driveId)
        media.prepareFilms(ofRevisions: revisions, of: caller.driveId)
        looks.begin(revisions, of: caller.userId)
    }

    /// What is only noted: the answer to it has nothing in it.
    struct Noted: Codable, Sendable {}
}
