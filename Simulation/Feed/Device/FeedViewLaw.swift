import BothyClient
import BothyContract

/// The law of the view, of a feed: what is shown is what the server has said, with what waits here done to it.
///
/// It asks less in one thing, of which a device cannot know more:
/// - **An answer that was lost.** A comment that was sent, and of which nothing was heard, may be counted with those that the server
///   tells of, or may not: a comment's count is off by that one until the post is asked for again. So it is with the deletion of a comment.
struct FeedViewLaw {
    private let device: FeedDevice
    private let known: FeedKnowledge
    private let operations: [FeedOperation]

    /// Posts of the feed that are looked at.
    static let looksAt = 20

    /// - Parameter post: whose comments are looked at, too.
    /// - Returns: what is shown otherwise, in words; nil where the law holds.
    static func broken(on device: FeedDevice, at post: Int64? = nil) async throws -> String? {
        let law = FeedViewLaw(
            device: device, known: device.known, operations: try await device.store.operations())
        let shown = try await device.store.feed(before: nil, limit: looksAt)
        if let broken = law.difference(inPosts: shown.posts) ?? law.difference(inWaiting: shown.waiting) {
            return broken
        }
        if let post, let broken = try await law.difference(inPost: post) { return broken }
        return try await law.differenceInPeople()
    }

    // MARK: - Posts

    private func difference(inPosts shown: [PostPreview]) -> String? {
        let wanted = known.order.prefix(Self.looksAt).compactMap { known.entries[$0] }.filter { !isDeleted($0) }
        guard shown.map(\.postId) == wanted else {
            return "the feed shows the posts \(shown.map(\.postId)), and should show \(wanted)"
        }
        for post in shown {
            guard let seen = known.previews[post.postId] else {
                return "post \(post.postId) is shown, and nobody sent it"
            }
            if let words = difference(FeedStanding(post), from: seen) { return "in the feed, \(words)" }
        }
        return nil
    }

    private func difference(inPost id: Int64) async throws -> String? {
        let wanted = known.details[id].flatMap { isDeleted(id) ? nil : $0 }
        switch (try await device.store.post(id), wanted) {
        case (let post?, let seen?):
            if let words = difference(FeedStanding(post), from: seen) { return "opened, \(words)" }
        case (nil, nil): break
        case (let post, _): return "post \(id) is \(post == nil ? "not " : "")shown when it is opened"
        }
        return try await differenceInComments(on: id)
    }

    /// Done here, and not at the server yet, as far as the device knows.
    private func waiting(on post: Int64) -> [FeedOperation] {
        operations.filter { $0.postId == post && $0.isShown && $0.state != .acknowledged }
    }

    private func isDeleted(_ post: Int64) -> Bool {
        waiting(on: post).contains { if case .delete = $0.action { true } else { false } }
    }

    private func difference(_ shown: FeedStanding, from seen: FeedKnowledge.Seen) -> String? {
        let (post, person) = (seen.post, device.person)
        let done = seen.done + waiting(on: post.id)
        let likedBefore = post.likers.contains(person)
        let liked = Self.last(of: done, .liked, .removedLike) ?? likedBefore
        let bookmarked =
            Self.last(of: done, .bookmarked, .removedBookmark) ?? post.bookmarkers.contains(person)
        let likes = post.likeCount + (liked ? 1 : 0) - (likedBefore ? 1 : 0)
        let sharedBefore = post.sharers[person] != nil
        let shared = Self.last(of: done, .shared, .removedShare) ?? sharedBefore
        let shares = post.shareCount + (shared ? 1 : 0) - (sharedBefore ? 1 : 0)
        let comments = comments(of: post, done)
        let name = "post \(post.id)"
        if shown.content != post.content { return "\(name) says «\(shown.content)», and not «\(post.content)»" }
        if shown.liked != liked { return "\(name) is \(shown.liked ? "" : "not ")liked" }
        if shown.bookmarked != bookmarked { return "\(name) is \(shown.bookmarked ? "" : "not ")bookmarked" }
        if shown.likeCount != likes { return "\(name) has \(shown.likeCount) likes, and not \(likes)" }
        if shown.shareCount != shares { return "\(name) has \(shown.shareCount) shares, and not \(shares)" }
        guard comments.contains(shown.commentCount) else {
            return "\(name) has \(shown.commentCount) comments, and not \(comments)"
        }
        return nil
    }

    /// What a person said last; nil where she said neither.
    private static func last(
        of operations: [FeedOperation], _ yes: PostInteraction, _ no: PostInteraction
    ) -> Bool? {
        for operation in operations.reversed() {
            guard case .interact(let interaction) = operation.action else { continue }
            if interaction == yes { return true }
            if interaction == no { return false }
        }
        return nil
    }

    /// How many comments may be shown.
    private func comments(of post: SimulatedPost, _ done: [FeedOperation]) -> ClosedRange<Int> {
        var (least, most) = (post.commentCount, post.commentCount)
        var deleted = Set<Int64>()
        for operation in done {
            let isUnheard = known.unheard.contains(operation.requestId)
            switch operation.action {
            case .comment:
                let isCounted = post.comment(madeBy: operation.requestId, of: device.person) != nil
                most += 1
                if !isUnheard, !isCounted { least += 1 }
            case .deleteComment:
                guard let comment = operation.subjectId, deleted.insert(comment).inserted else { continue }
                least -= 1
                // One that this device has made, or heard of, since then was not counted before.
                if !isUnheard, post.comment(comment) != nil { most -= 1 }
            default: break
            }
        }
        return max(0, least)...max(0, most)
    }

    // MARK: - What waits

    private func difference(inWaiting shown: [WaitingPost]) -> String? {
        let wanted = known.written.filter { !known.isInFeed($0.requestId, of: device.person) }.map(\.operation)
        guard shown.map(\.id) == Array(wanted.reversed()) else {
            return "the posts \(shown.map(\.id)) wait to be in the feed, and not \(Array(wanted.reversed()))"
        }
        return nil
    }

    // MARK: - Comments

    private func differenceInComments(on post: Int64) async throws -> String? {
        let shown = try await device.store.comments(on: post, page: nil)
        let deleted = Set(
            waiting(on: post).compactMap { operation -> Int64? in
                if case .deleteComment = operation.action { operation.subjectId } else { nil }
            })
        if let kept = known.comments[post] {
            let wanted = kept.map(\.id).filter { !deleted.contains($0) }
            guard shown.comments.map(\.commentId) == wanted else {
                return "post \(post) shows the comments \(shown.comments.map(\.commentId)), and not \(wanted)"
            }
        }
        let writing = operations.filter { operation in
            if case .comment = operation.action { operation.postId == post } else { false }
        }
        guard shown.waiting.map(\.id) == writing.map(\.id) else {
            return "the comments \(shown.waiting.map(\.id)) wait, and not \(writing.map(\.id))"
        }
        return nil
    }

    // MARK: - People

    private func differenceInPeople() async throws -> String? {
        var wanted = [Int64: Bool]()
        for operation in operations where operation.isShown {
            guard case .follow(let isFollowing) = operation.action, let person = operation.subjectId else { continue }
            if known.following[person] != nil { wanted[person] = isFollowing }
        }
        for (id, isFollowing) in wanted.sorted(by: { $0.key < $1.key }) {
            let shown = try await device.store.person(id)
            guard shown?.following == isFollowing else {
                return "person \(id) is shown as \(isFollowing ? "not " : "")followed"
            }
        }
        return nil
    }
}

/// How a post stands, in a list or by itself.
struct FeedStanding: Equatable, Sendable {
    var content: String
    var liked: Bool
    var bookmarked: Bool
    var likeCount: Int
    var shareCount: Int
    var commentCount: Int

    init(_ post: PostPreview) {
        content = post.contentSummary
        (liked, bookmarked) = (post.liked, post.bookmarked)
        (likeCount, shareCount, commentCount) = (post.likeCount, post.shareCount, post.commentCount)
    }

    init(_ post: PostDetail) {
        content = post.content
        (liked, bookmarked) = (post.liked, post.bookmarked)
        (likeCount, shareCount, commentCount) = (post.likeCount, post.shareCount, post.commentCount)
    }
}
