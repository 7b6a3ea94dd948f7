/// What people have done with a post.
public struct PostMarks: Equatable, Sendable {
    public var liked: Bool
    public var bookmarked: Bool
    public var shared: Bool
    /// The number alone; empty for none.
    public var likeCount: String
    public var shareCount: String
    public var commentCount: String
    /// «3 people like it».
    public var likes: String
    /// «1 person shared it»; nil for none.
    public var shares: String?

    init(
        liked: Bool, bookmarked: Bool, shared: Bool, likeCount: Int, shareCount: Int, commentCount: Int, words: Words
    ) {
        self.liked = liked
        self.bookmarked = bookmarked
        self.shared = shared
        self.likeCount = likeCount == 0 ? "" : words.number(likeCount)
        self.shareCount = shareCount == 0 ? "" : words.number(shareCount)
        self.commentCount = commentCount == 0 ? "" : words.number(commentCount)
        likes = likeCount == 0 ? words[.likesNone] : words.counted(likeCount, one: .likesOne, many: .likesMany)
        shares = shareCount == 0 ? nil : words.counted(shareCount, one: .sharesOne, many: .sharesMany)
    }
}
