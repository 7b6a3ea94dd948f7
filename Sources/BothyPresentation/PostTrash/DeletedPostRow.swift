import BothyContract

/// A deleted post as the list of them draws it.
public struct DeletedPostRow: Equatable, Sendable, Identifiable {
    public var id: Int64
    /// The beginning of its words, in one line.
    public var beginning: String
    /// «Deleted 20 Nov 2026, 14:03».
    public var deleted: String
    /// «2 photos and 1 video»; nil for none.
    public var attachments: String?

    init(_ trashed: TrashedPost, words: Words, clock: PersonsClock) {
        id = trashed.post.postId
        beginning = words.line(of: PostText(html: trashed.post.contentSummary), behind: trashed.post.contentWarning)
        deleted = words.filled(.postTrashDeletedAt, words.moment(trashed.deletedAt, at: clock))
        attachments = words.attachments(
            trashed.post.attachmentCount, trashed.post.attachmentPreviews?.map(\.type))
    }
}
