import BothyClient
import BothyContract

/// A page of a feed as `bothy feed list --json` prints it.
struct FeedDocument: Encodable {
    /// What waits here first, then the posts, newest first.
    private var feed: [Item]
    /// Where the next page begins; absent on the last.
    private var next: String?
    /// Where the page of newer posts begins, for `--above`; absent where there are none, and of a page that was not asked for so.
    private var newer: Int64?
    /// Why the server could not be asked; absent where it was.
    private var unreached: String?

    init(_ page: FeedPage, _ home: DeviceHome) async throws {
        let you = try home.account.signedIn().map { AuthorPreview(id: $0.user.id, name: $0.user.displayName) }
        feed = page.waiting.map { Item($0, you, from: page.source == nil ? nil : .device) }
        for post in page.posts {
            // A list shows the beginning; the whole text is here only of posts that were opened before.
            let content = post.isCut ? try await home.feed.keptDetail(post.postId)?.content : post.contentSummary
            feed.append(Item(post, content: content, missing: page.gaps[post.postId], from: page.source))
        }
        next = page.next
        newer = page.newer
        unreached = page.unreached?.words
    }

    enum State: String, Encodable {
        case posted, waiting, refused
    }

    private struct Item: Encodable {
        var postId: Int64?
        /// Its place in the feed, for `--above`; other than ``postId`` where it was shared. Absent of what waits.
        var entryId: Int64?
        /// The device's number of a post that waits; absent for others.
        var number: Int64?
        var state: State
        /// Absent where only its beginning is known here.
        var content: String?
        var contentSummary: String
        /// The warning before it; absent where there is none.
        var contentWarning: String?
        var author: AuthorPreview?
        var createdAt: Timestamp
        var liked = false
        var bookmarked = false
        var likeCount = 0
        var shareCount = 0
        var commentCount = 0
        var attachmentCount: Int
        var sharedBy: AuthorPreview?
        /// Absent of what waits.
        var audience: PostAudience?
        /// Why the server refuses it.
        var refusal: String?
        /// Where posts that are missing below it begin, for `--after`; absent where none are.
        var missing: String?
        /// The same from below, for `--above`.
        var missingAbove: Int64?
        /// Of a search: who found it. Absent elsewhere.
        var from: PostSource?

        init(_ post: PostPreview, content: String?, missing: FeedPage.Gap?, from source: PostSource?) {
            (self.missing, missingAbove, from) = (missing?.older, missing?.newer, source)
            (postId, entryId) = (post.postId, post.entryId)
            state = .posted
            self.content = content
            contentSummary = post.contentSummary
            contentWarning = post.contentWarning
            author = post.author
            createdAt = post.createdAt
            (liked, bookmarked) = (post.liked, post.bookmarked)
            (likeCount, shareCount, commentCount) = (post.likeCount, post.shareCount, post.commentCount)
            attachmentCount = post.attachmentCount
            sharedBy = post.sharedBy
            audience = post.audience
        }

        init(_ post: WaitingPost, _ you: AuthorPreview?, from source: PostSource?) {
            from = source
            number = post.id
            state = post.refusal != nil ? .refused : post.isPosted ? .posted : .waiting
            content = post.content
            contentWarning = post.contentWarning
            contentSummary = PostText(html: post.content).summary(length: FeedLimits.summaryLength).text.html
            author = you
            createdAt = post.writtenAt
            attachmentCount = post.attachmentCount
            refusal = post.refusal?.words
        }
    }
}
