import BothyContract

/// A post that may be made: what was asked, read and found to be in order.
package struct NewPost: Sendable {
    package struct Attachment: Sendable {
        package var type: AttachmentType
        package var revisionId: String
        package var caption: String?
    }

    package var text: PostText
    package let attachments: [Attachment]
    let contentWarning: String?
    package let audience: NewAudience
    /// As it was asked for, also where it is over; see ``time(after:)``.
    let publishAt: Timestamp?

    /// - Parameter mayBeEmpty: a draft may have neither text nor attachments yet.
    /// - Throws: `invalid_parameter`, with what is wrong.
    package init(_ request: NewPostRequest, mayBeEmpty: Bool = false) throws {
        guard request.content.utf8.count <= FeedLimits.maximumContentBytes else {
            throw Problem(
                .invalidParameter, "A post has at most \(FeedLimits.maximumContentBytes) bytes of text with its marks.")
        }
        let asked = request.attachments ?? []
        audience = try NewAudience(request.audience)
        let most = Self.mostAttachments(request.audience?.kind ?? .everyone)
        guard asked.count <= most else {
            throw Problem(.invalidParameter, "A post has at most \(most) attachments.")
        }
        text = try PostBounds.text(of: request.content)
        attachments = try asked.map(Self.checked)
        contentWarning = try request.contentWarning.map(ContentWarning.checked)
        publishAt = request.publishAt
        guard mayBeEmpty || !text.isEmpty || !attachments.isEmpty else {
            throw Problem(.invalidParameter, "A post needs a text or an attachment.")
        }
    }

    /// The same with the people and the hashtags that it names.
    func named(in db: any SQLConnection) throws -> NewPost {
        var named = self
        named.text = try PostNames(db).named(text)
        return named
    }

    /// How many attachments a post has at most.
    static func mostAttachments(_ audience: PostAudience.Kind) -> Int {
        audience == .people ? FeedLimits.maximumAttachmentsToPeople : FeedLimits.maximumAttachments
    }

    /// When it shall be posted; nil for at once.
    ///
    /// - Throws: `invalid_parameter` for what is too far ahead.
    func time(after now: Timestamp) throws -> Timestamp? {
        try publishAt.flatMap { try Self.time($0, after: now) }
    }

    /// The same, of any time.
    static func time(_ asked: Timestamp, after now: Timestamp) throws -> Timestamp? {
        guard asked > now else { return nil }
        guard asked <= now.adding(seconds: Int64(FeedLimits.mostDaysAhead) * 86_400) else {
            throw Problem(
                .invalidParameter, "A post is scheduled for \(FeedLimits.mostDaysAhead) days ahead at most.")
        }
        return asked
    }

    /// - Throws: `invalid_parameter`, with what is wrong.
    static func checked(_ asked: NewAttachment) throws -> Attachment {
        let caption = try asked.caption.flatMap {
            try PlainText.checked($0, "A caption", most: FeedLimits.maximumCaption)
        }
        guard let revisionId = revision(at: asked.contentUrl) else { throw unknownContent }
        return Attachment(type: asked.type, revisionId: revisionId, caption: caption)
    }

    /// `/v1/content/{revisionId}`, with the server's origin or without, whatever its query says: the caller is known otherwise.
    static func revision(at address: String) -> String? {
        guard let mark = address.firstRange(of: Self.contentPath) else { return nil }
        let id = String(address[mark.upperBound...].prefix { $0 != "?" && $0 != "#" && $0 != "/" })
        return FileID.isPlausible(id) ? id : nil
    }

    private static let contentPath = "/v1/content/"

    static var unknownContent: Problem {
        Problem(.invalidParameter, "An attachment's “contentUrl” should be the “downloadUrl” of a file of your own.")
    }
}
