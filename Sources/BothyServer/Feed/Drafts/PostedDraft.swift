import BothyContract

/// The draft that a request makes a post of.
struct PostedDraft: Sendable {
    let id: Int64
    /// The version that is posted; nil where that was not said.
    let version: Int64?
    /// The id of what stays of it, where it was changed since.
    let otherId: Int64
    private let post: NewPost

    /// - Parameter otherId: made at random.
    /// - Returns: nil where the request names none.
    /// - Throws: `invalid_parameter` for an id that is none, or another request id than the draft's.
    init?(
        _ request: NewPostRequest, otherId: Int64 = .random(in: 1...FeedLimits.maximumDraftId)
    ) throws {
        guard let id = request.draftId else { return nil }
        guard (1...FeedLimits.maximumDraftId).contains(id) else {
            throw Problem(.invalidParameter, "“draftId” is a number from 1 to \(FeedLimits.maximumDraftId).")
        }
        guard request.requestId.map({ $0 == String(id) }) ?? true else {
            throw Problem(.invalidParameter, "The request id of a draft's post is the draft's id; or leave it out.")
        }
        (self.id, version, self.otherId) = (id, request.draftVersion, otherId)
        post = try NewPost(request)
    }

    /// Whether a version of the draft says what is posted, to the same people and at the same time: nothing of it is lost when it goes.
    func says(_ body: SavedDraftBody) throws -> Bool {
        try body.content == post.text.html && body.contentWarning == post.contentWarning
            && NewAudience(body.audience, mayNameNobody: true) == post.audience && body.publishAt == post.publishAt
            && body.attachments.map { [$0.contentUrl, $0.caption] }
                == post.attachments.map { [$0.revisionId, $0.caption] }
    }

    /// Two devices that post the same text of one draft make the same request, whichever addresses they name for what is attached.
    func identity(_ request: NewPostRequest) throws -> RequestIdentity {
        try RequestIdentity(
            of: NewPostRequest(
                requestId: String(id), content: post.text.html,
                attachments: post.attachments.map {
                    NewAttachment(type: $0.type, contentUrl: $0.revisionId, caption: $0.caption)
                }, audience: request.audience, publishAt: request.publishAt, contentWarning: post.contentWarning))
    }
}
