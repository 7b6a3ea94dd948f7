import BothyClient
import BothyContract

/// A post as a feed draws it.
public struct PostRow: Equatable, Sendable, Identifiable {
    public var id: Int64
    public var author: PostAuthor
    /// «3 h», «20 Nov».
    public var date: String
    /// «20 Nov 2026, 14:03».
    public var moment: String
    public var createdAt: Timestamp
    /// «Edited 20 Nov 2026, 15:10»; nil for what never was.
    public var edited: String?
    /// What stands before it, which is all that is seen until somebody asks for more; nil where nothing does.
    public var warning: String?
    /// Its beginning.
    public var text: PostText
    /// Whether it goes on.
    public var isCut: Bool
    /// «Ann shared this»; nil where it is its author's own doing that it is here.
    public var shared: String?
    public var reach: PostReach
    public var marks: PostMarks
    /// Whether its first picture can be shown.
    public var hasPicture: Bool
    /// The room that it takes; nil where that is not known.
    public var room: PictureRoom?
    public var attachmentCount: Int
    /// What each is, in their order; empty where that is not known.
    public var media: [PostRowMedium]
    /// «2 photos and 1 video»; nil for none.
    public var attachments: String?
    /// Its entry in the list, by which the list is ordered.
    public var entry: Int64
    /// What is missing below it; nil where the next one is known.
    public var gap: FeedPage.Gap?
    /// Of a search on a device: «On this device», «On the server». Nil where that makes no difference.
    public var whereabouts: String?

    init(_ post: PostPreview, you: Int64, words: Words, clock: PersonsClock) {
        id = post.postId
        entry = post.entryId
        author = PostAuthor(post.author, you: you)
        date = words.ago(post.createdAt, at: clock)
        moment = words.moment(post.createdAt, at: clock)
        createdAt = post.createdAt
        edited = post.editedAt.map { words.filled(.postEditedAt, words.moment($0, at: clock)) }
        warning = post.contentWarning.map(ShownName.of)
        text = PostText(html: post.contentSummary)
        isCut = post.isCut
        shared = post.sharedBy.map {
            $0.id == you ? words[.postSharedByYou] : words.filled(.postShared, ShownName.of($0.name))
        }
        reach = PostReach(post.audience, you: you, words: words)
        marks = PostMarks(
            liked: post.liked, bookmarked: post.bookmarked, shared: post.shared, likeCount: post.likeCount,
            shareCount: post.shareCount, commentCount: post.commentCount, words: words)
        hasPicture = post.attachmentPreviewImageUrl != nil
        room = PictureRoom(
            width: post.attachmentPreviewWidth, height: post.attachmentPreviewHeight,
            placeholder: post.attachmentPreviewPlaceholder)
        attachmentCount = post.attachmentCount
        media = (post.attachmentPreviews ?? []).map { PostRowMedium($0) }
        attachments = words.attachments(post.attachmentCount, post.attachmentPreviews?.map(\.type))
    }
}
