import BothyContract

/// A post as it is read, with where that comes from.
public struct ReadPost: Equatable, Sendable {
    public var post: PostDetail
    /// Why this is what was known here before, where it is.
    public var unreached: ClientFailure?
    /// It was in a list and never opened here: its text may go on, and what is attached is not known.
    public var isBeginning = false

    public init(post: PostDetail, unreached: ClientFailure? = nil) {
        self.post = post
        self.unreached = unreached
    }

    /// What a list has of a post.
    package init(beginning: PostPreview, unreached: ClientFailure) {
        post = PostDetail(
            postId: beginning.postId, content: beginning.contentSummary, author: beginning.author,
            createdAt: beginning.createdAt, liked: beginning.liked, bookmarked: beginning.bookmarked,
            likeCount: beginning.likeCount, shareCount: beginning.shareCount, commentCount: beginning.commentCount,
            attachments: [], audience: beginning.audience, shared: beginning.shared, version: beginning.version,
            editedAt: beginning.editedAt, requestId: beginning.requestId, publishAt: beginning.publishAt,
            contentWarning: beginning.contentWarning)
        self.unreached = unreached
        isBeginning = beginning.isCut || beginning.attachmentCount > 0
    }
}

/// What is posted here, and by those whom a person follows. What a person does is shown at once, wherever the server is.
public protocol PostsRepository: Sendable {
    /// The person's feed.
    ///
    /// - Parameter place: the `next` of the page before; nil for the first.
    /// - Throws: `ClientFailure` where nothing can be shown.
    func feed(after place: String?, limit: Int) async throws -> FeedPage

    /// The posts of the feed that are next above an entry, the newest first: a gap is filled from below. It needs a connection.
    ///
    /// - Parameter entry: the `newer` of a gap, or of the page below.
    /// - Throws: `offline`; `refused` by a server that is too old for it.
    func feed(above entry: Int64, limit: Int) async throws -> FeedPage

    /// How many posts came into the feed, and none of them.
    ///
    /// - Parameter arrival: that of a page, or of an earlier answer; nil asks only for that of now.
    /// - Throws: `offline`; a failure whose problem is `cursorExpired` where it cannot be counted from there.
    func arrivals(since arrival: String?) async throws -> FeedArrivalsResponse

    /// What one person has posted; without a connection, what of it is known here, which may be none of it.
    ///
    /// - Throws: `notFound`; `offline` for what comes after a page of the server's, and for somebody who is not known here; `signInNeeded`
    ///   where the device was signed out and no post of theirs is known here.
    func posts(of person: Int64, after place: String?, limit: Int) async throws -> FeedPage

    /// What the person has bookmarked, the newest post first.
    func bookmarks(after place: String?, limit: Int) async throws -> FeedPage

    /// - Throws: `notFound`; `offline` for what was never seen here.
    func post(_ id: Int64) async throws -> ReadPost

    /// The bytes of one of a post's attachments, or of a small picture of it.
    ///
    /// - Parameters:
    ///   - id: nil for the first one of which there is a picture.
    ///   - quality: nil for the attachment itself. Where no small picture of it can be had, it is the attachment too.
    /// - Throws: `notFound`; `offline` for what is not kept here.
    func media(_ id: Int64?, of post: Int64, _ quality: MediaQuality?) async throws -> ContentPlace

    /// - Returns: whether the server has done it by now.
    /// - Throws: `notFound` where the server says at once that there is no such post.
    @discardableResult
    func interact(_ interaction: PostInteraction, with id: Int64) async throws -> Bool

    /// - Parameter request: with a request id, by which it is posted once.
    /// - Returns: whether the server has it by now.
    /// - Throws: `refused`.
    @discardableResult
    func publish(_ request: NewPostRequest) async throws -> Bool

    /// Changes a post that is there. It needs a connection: what others read is not changed unseen later.
    ///
    /// - Returns: the post as it is then.
    /// - Throws: `notFound`; `offline`; `refused`, with the problem `post_changed` where it was edited elsewhere since the version that
    ///   the request names.
    @discardableResult
    func edit(_ id: Int64, _ request: EditPostRequest) async throws -> PostDetail

    /// What a post says, and what it said before, the newest first.
    ///
    /// - Throws: `notFound`; `offline`.
    func history(of id: Int64) async throws -> [PostVersion]

    /// - Returns: whether the server has done it by now.
    /// - Throws: `notFound`; `refused` for what somebody else has written.
    @discardableResult
    func delete(_ id: Int64) async throws -> Bool

    /// The comments on a post, thread by thread, the oldest first.
    ///
    /// - Parameter place: the `next` of the page before; nil for the first.
    /// - Throws: `notFound`.
    func comments(on post: Int64, after place: String?, limit: Int) async throws -> CommentPage

    /// - Returns: whether the server has it by now.
    /// - Throws: `notFound` for the post or the comment to reply to; `refused`.
    @discardableResult
    func comment(_ request: NewCommentRequest, on post: Int64) async throws -> Bool

    /// - Returns: whether the server has done it by now.
    /// - Throws: `notFound`; `refused` for a comment of somebody else on a post of somebody else.
    @discardableResult
    func deleteComment(_ id: Int64, on post: Int64) async throws -> Bool

    /// Sends a post that waits once more.
    func tryAgain(_ waiting: WaitingPost.ID) async throws

    /// Changes what waits, and sends it.
    ///
    /// - Throws: `refused` for what is being sent at the moment, or may be posted already, for what would be an empty post, and for a
    ///   warning before a comment; `notFound` for what does not wait, and for what is to go without its files and waits for none.
    func rewrite(_ waiting: WaitingPost.ID, _ change: WaitingPost.Change) async throws

    /// Gives up a post that waits.
    ///
    /// - Throws: `refused` for what is being sent at the moment, or is posted already.
    func discard(_ waiting: WaitingPost.ID) async throws

    /// - Throws: `notFound`; `refused` for what can be attached to no post.
    func attachable(_ id: ItemID) async throws -> AttachableFile
}

extension PostDetail {
    /// - Parameter id: nil for the first one of which there is a picture.
    /// - Throws: `notFound`.
    package func attachment(_ id: Int64?) throws(ClientFailure) -> Attachment {
        let found = attachments.first { id == nil ? $0.previewImageUrl != nil : $0.id == id }
        guard let attachment = found else {
            throw ClientFailure(
                .notFound, "The post no longer has this attachment.", remedy: "Open the post again.")
        }
        return attachment
    }
}

extension Attachment {
    /// Where it is to be had in a size; nil for itself. What the server makes no small picture of is its own picture.
    package func address(_ quality: MediaQuality?) -> String {
        guard let quality, previewImageUrl != nil, previewImageUrl != contentUrl else { return contentUrl }
        return quality.address(of: contentUrl)
    }
}
