import BothyContract

/// A draft that may be saved: what was asked, read and found to be in order. It may be empty.
struct NewDraft: Sendable {
    /// As it is kept.
    let body: SavedDraftBody
    let text: PostText
    let revisions: [String]
    /// 0 for a new one.
    let base: Int64
    let editor: String?

    /// - Throws: `invalid_parameter`, with what is wrong.
    init(_ request: SaveDraftRequest) throws {
        let post = try NewPost(
            NewPostRequest(requestId: nil, content: request.content, attachments: request.attachments), mayBeEmpty: true
        )
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
        revisions = post.attachments.map(\.revisionId)
        body = SavedDraftBody(
            content: post.text.html,
            attachments: zip(request.attachments ?? [], post.attachments).map { asked, checked in
                var kept = asked
                (kept.contentUrl, kept.caption) = (checked.revisionId, checked.caption)
                return kept
            }, publishAt: request.publishAt)
    }
}

/// What a draft says, as the column `body` has it. Of each attachment `contentUrl` is the revision alone.
struct SavedDraftBody: Codable, Equatable, Sendable {
    var content: String
    var attachments: [NewAttachment]
    var publishAt: Timestamp?
}
