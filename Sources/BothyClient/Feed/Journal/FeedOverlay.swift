import BothyContract

/// What a person did over what the server said: the same as if the server had done it already.
package struct FeedOverlay: Sendable {
    private var interactions = [Int64: [PostInteraction]]()
    private var deleted = Set<Int64>()
    private var commentCounts = [Int64: Int]()
    private var deletedComments = Set<Int64>()
    private var follows = [Int64: Bool]()

    /// - Parameter operations: in their order; those that the server has not done yet, or whose effect is not kept here yet.
    package init(_ operations: [FeedOperation]) {
        for operation in operations where operation.isShown {
            if case .follow(let isFollowing) = operation.action, let person = operation.subjectId {
                follows[person] = isFollowing
                continue
            }
            guard let post = operation.postId else { continue }
            switch operation.action {
            case .publish, .follow: break
            case .delete: deleted.insert(post)
            case .interact(let interaction): interactions[post, default: []].append(interaction)
            case .comment: commentCounts[post, default: 0] += 1
            case .deleteComment:
                guard let comment = operation.subjectId else { continue }
                if deletedComments.insert(comment).inserted { commentCounts[post, default: 0] -= 1 }
            }
        }
    }

    /// - Returns: nil for a post that was deleted here.
    package func applied(to post: PostPreview) -> PostPreview? {
        guard !deleted.contains(post.postId) else { return nil }
        var post = post
        for interaction in interactions[post.postId] ?? [] { post.record(interaction) }
        post.commentCount = max(0, post.commentCount + (commentCounts[post.postId] ?? 0))
        return post
    }

    package func applied(to person: Person) -> Person {
        var person = person
        if let isFollowing = follows[person.id] {
            person.following = isFollowing
            person.requested = nil
        }
        return person
    }

    /// Without the comments that were deleted here; replies to them say so.
    package func applied(to comments: [Comment]) -> [Comment] {
        comments.filter { !deletedComments.contains($0.commentId) }.map { comment in
            guard let parent = comment.parentCommentId, deletedComments.contains(parent) else { return comment }
            var comment = comment
            comment.parentDeleted = true
            return comment
        }
    }

    /// - Returns: nil for a post that was deleted here.
    package func applied(to post: PostDetail) -> PostDetail? {
        guard !deleted.contains(post.postId) else { return nil }
        var post = post
        for interaction in interactions[post.postId] ?? [] { post.record(interaction) }
        post.commentCount = max(0, post.commentCount + (commentCounts[post.postId] ?? 0))
        return post
    }
}

/// What a person's own doing changes of a post as she sees it.
private protocol Interactive {
    var liked: Bool { get set }
    var bookmarked: Bool { get set }
    var likeCount: Int { get set }
    var shared: Bool { get set }
    var shareCount: Int { get set }
}

extension Interactive {
    fileprivate mutating func note(_ interaction: PostInteraction) {
        switch interaction {
        case .liked where !liked:
            liked = true
            likeCount += 1
        case .removedLike where liked:
            liked = false
            likeCount = max(0, likeCount - 1)
        case .shared where !shared:
            shared = true
            shareCount += 1
        case .removedShare where shared:
            shared = false
            shareCount = max(0, shareCount - 1)
        case .bookmarked: bookmarked = true
        case .removedBookmark: bookmarked = false
        case .liked, .removedLike, .shared, .removedShare: break
        }
    }
}

extension PostPreview: Interactive {
    package mutating func record(_ interaction: PostInteraction) { note(interaction) }
}

extension PostDetail: Interactive {
    package mutating func record(_ interaction: PostInteraction) { note(interaction) }
}
