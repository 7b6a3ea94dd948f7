import BothyContract

/// A draft that may be saved: what was asked, read and found to be in order. It may be empty.
struct NewDraft: Sendable {
    /// As it is kept.
    var body: SavedDraftBody
    let text: PostText
    let revisions: [String]
    /// 0 for a new one.
    let base: Int64
    let editor: String?

    /// - Throws: `invalid_parameter`, with what is wrong.
    init(_ request: SaveDraftRequest) throws {
        let post = try NewPost(NewPostRequest(requestId: nil, content: request.content), mayBeEmpty: true)
        let (asked, most) = (request.attachments ?? [], FeedLimits.maximumAttachmentsToPeople)
        guard asked.count <= most else { throw Problem(.invalidParameter, "A draft has at most \(most) attachments.") }
        let attachments = try asked.map(NewPost.checked)
        base = request.baseVersion ?? 0
        guard (0...FeedLimits.maximumDraftId).contains(base) else {
            throw Problem(.invalidParameter, "“baseVersion” should be the version of the draft that was changed.")
        }
        if let editor = request.editorId, !FeedLimits.editorIdLength.contains(editor.utf8.count) {
            throw Problem(
                .invalidParameter, "“editorId” has 1 to \(FeedLimits.editorIdLength.upperBound) bytes, or is left out.")
        }
        editor = request.editorId
        text = post.text
        revisions = attachments.map(\.revisionId)
        body = SavedDraftBody(
            content: post.text.html,
            attachments: zip(asked, attachments).map { asked, checked in
                var kept = asked
                (kept.contentUrl, kept.caption) = (checked.revisionId, checked.caption)
                return kept
            }, publishAt: request.publishAt, audience: try request.audience.map(Self.checked),
            contentWarning: try ContentWarning.checked(change: request.contentWarning))
    }

    /// - Throws: `invalid_parameter`, with what is wrong.
    private static func checked(_ asked: NewPostAudience) throws -> NewPostAudience {
        switch try NewAudience(asked, mayNameNobody: true) {
        case .everyone, .followers: asked
        case .people(let people): NewPostAudience(kind: .people, people: people.sorted())
        }
    }

    /// The same, over what is there: who says nothing of whom it is to, or of a warning, leaves that as it was.
    func saved(over known: SavedDraftBody?) -> NewDraft {
        var draft = self
        draft.body.audience = body.audience ?? known?.audience
        draft.body.contentWarning = ContentWarning.changed(known?.contentWarning, to: body.contentWarning)
        return draft
    }
}

/// What a draft says, as the column `body` has it. Of each attachment `contentUrl` is the revision alone.
struct SavedDraftBody: Codable, Equatable, Sendable {
    var content: String
    var attachments: [NewAttachment]
    var publishAt: Timestamp?
    var audience: NewPostAudience?
    var contentWarning: String?
}
