import BothyContract

/// A change of a post that may be made: what was asked, read and checked as far as that needs no database.
struct PostEdit: Sendable {
    let baseVersion: Int
    let text: PostText?
    let attachments: [NewPost.Attachment]?
    let audience: NewAudience?
    /// Nil where it stays; empty where it goes.
    let contentWarning: String?

    /// - Throws: `invalid_parameter`, with what is wrong.
    init(_ request: EditPostRequest) throws {
        let checked = try NewPost(
            NewPostRequest(requestId: nil, content: request.content ?? ""), mayBeEmpty: true)
        baseVersion = request.baseVersion
        text = request.content.map { _ in checked.text }
        attachments = try request.attachments.map { try $0.map(NewPost.checked) }
        audience = try request.audience.map { try NewAudience($0) }
        contentWarning = try ContentWarning.checked(change: request.contentWarning)
    }

    /// Does it. What asks for nothing that is not so already makes no version.
    ///
    /// - Parameter ids: for what is attached anew, and a conversation that has to be made.
    /// - Throws: `post_changed` where another version was edited; `invalid_parameter` where nothing would be left, where an attachment is
    ///   none of the author's own, and where more people would read it.
    func make(
        to post: PostTable.Row, ids: PostIds, at stamp: ChangeStamp, _ reach: FeedReach,
        telling hearers: FeedHearers, in db: any SQLConnection
    ) throws {
        let text = try text.map { try PostNames(db).named($0) }
        guard post.edition.version == baseVersion else {
            throw Problem(.postChanged, "The post was edited meanwhile, from here or from another device.").with {
                $0.currentVersion = Int64(post.edition.version)
            }
        }
        let (author, held) = (post.author.id, AttachmentTable(db, of: post.author.id))
        let isEmpty =
            try text?.isEmpty ?? post.content.isEmpty
            && (attachments?.isEmpty ?? held.rows(of: .post(post.postId)).isEmpty)
        guard !isEmpty else { throw Problem(.invalidParameter, "A post needs a text or an attachment.") }
        let narrower = try audience.map {
            try StoredAudience.made(of: $0, by: author, conversationId: ids.conversation, in: db)
        }
        let most = NewPost.mostAttachments((narrower ?? post.audience)?.kind ?? .people)
        guard attachments?.count ?? 0 <= most else {
            throw Problem(.invalidParameter, "A post has at most \(most) attachments.")
        }
        let warning = ContentWarning.changed(post.edition.contentWarning, to: contentWarning)
        let saysTheSame = text?.html ?? post.content == post.content && warning == post.edition.contentWarning
        let isSame =
            attachments == nil && saysTheSame
            && narrower ?? post.audience == post.audience
        guard !isSame else { return }
        let versions = PostVersionTable(db)
        if !saysTheSame { try versions.keep(post) }
        try versions.edit(post, text: text, warning: warning, at: stamp.now)
        if let attachments {
            try held.replace(
                with: attachments, as: ids.attachments, of: .post(post.postId), lived: stamp.lived)
        }
        if let narrower, narrower != post.audience { try narrow(post, to: narrower, reach, in: db) }
        // What it is found by depends on its readers, too.
        let said = text ?? PostText(html: post.content)
        try PostIndex(db).put(post.postId, of: author, said)
        let telling = Telling(db, stamp, to: hearers)
        try telling.edited((post.postId, author), text == nil ? nil : said)
    }

    private func narrow(
        _ post: PostTable.Row, to audience: StoredAudience, _ reach: FeedReach, in db: any SQLConnection
    ) throws {
        guard try audience.isWithin(post.audience, of: post.author.id, in: db) else {
            throw Problem(
                .invalidParameter,
                "The audience of a post can only be reduced. To show it to more people, post it again.")
        }
        try db.execute(
            "UPDATE posts SET audience = ?, conversation_id = ? WHERE author_id = ? AND post_id = ?",
            [audience.kind.rawValue.sql, audience.conversationId.sql, post.author.id.sql, post.postId.sql])
        try ReactionTable(db).forgetShares(of: post.postId, by: post.author.id)
        try FanOut(db, reach).narrow(post.postId, by: post.author.id)
    }
}
