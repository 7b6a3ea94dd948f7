import BothyContract

/// What the server tells, as one person sees it.
extension FeedServerModel {
    /// A page of a person's feed, the newest first.
    ///
    /// - Parameter place: the `next` of the page before; nil for the first.
    func feed(of reader: Int64, after place: String?, limit: Int) -> FeedApiResponse {
        let before = place.flatMap { Int64($0) } ?? .max
        var there = entries[reader, default: [:]].compactMap { id, entry in
            posts[id].flatMap { post in
                entry.id < before && mayRead(post, reader) ? (post: post, entry: entry) : nil
            }
        }.sorted { $0.entry.id > $1.entry.id }
        if mistakes.contains(.skipsBetweenPages), place != nil, !there.isEmpty { there.removeFirst() }
        let page = there.prefix(limit)
        let next = there.count > limit ? page.last.map { String($0.entry.id) } : nil
        return FeedApiResponse(
            feed: page.map { preview($0.post, at: $0.entry, for: reader) },
            paging: PaginationMetadata(next: next, limit: limit))
    }

    private func preview(_ post: SimulatedPost, at entry: Entry, for reader: Int64) -> PostPreview {
        PostPreview(
            entryId: entry.id, postId: post.id, contentSummary: post.content, isCut: false,
            author: Self.author(post.author), createdAt: post.createdAt, liked: post.likers.contains(reader),
            bookmarked: post.bookmarkers.contains(reader), likeCount: post.likeCount, shareCount: post.shareCount,
            commentCount: post.commentCount, attachmentCount: 0, sharedBy: entry.sharedBy.map(Self.author),
            audience: audience(of: post), shared: post.sharers[reader] != nil, version: post.version,
            editedAt: post.editedAt, requestId: post.author == reader ? post.requestId : nil)
    }

    /// - Throws: `not_found`.
    func post(_ id: Int64, for reader: Int64) throws(Problem) -> PostDetail {
        let post = try require(id, for: reader)
        return PostDetail(
            postId: id, content: post.content, author: Self.author(post.author), createdAt: post.createdAt,
            liked: post.likers.contains(reader), bookmarked: post.bookmarkers.contains(reader),
            likeCount: post.likeCount, shareCount: post.shareCount, commentCount: post.commentCount, attachments: [],
            audience: audience(of: post), shared: post.sharers[reader] != nil, version: post.version,
            editedAt: post.editedAt, requestId: post.author == reader ? post.requestId : nil)
    }

    /// A page of the comments on a post, thread by thread.
    ///
    /// - Throws: `not_found`.
    func comments(
        on id: Int64, for reader: Int64, after place: String?, limit: Int
    ) throws(Problem) -> CommentsApiResponse {
        let post = try require(id, for: reader)
        let mark = (place ?? "-1.-1").split(separator: ".").compactMap { Int64($0) }
        let left = post.listedComments.filter { ($0.thread, $0.id) > (mark[0], mark[1]) }
        let page = left.prefix(limit)
        let next = left.count > limit ? page.last.map { "\($0.thread).\($0.id)" } : nil
        return CommentsApiResponse(
            comments: page.map { told($0, of: post) }, paging: PaginationMetadata(next: next, limit: limit))
    }

    func told(_ comment: SimulatedComment, of post: SimulatedPost) -> Comment {
        let isParentGone = comment.parent.map { post.comment($0) == nil } ?? false
        return Comment(
            commentId: comment.id, threadId: comment.thread, parentCommentId: comment.parent,
            parentDeleted: isParentGone ? true : nil, content: comment.content, author: Self.author(comment.author),
            createdAt: comment.createdAt)
    }

    /// All of them, as one sees them.
    func people(for reader: Int64) -> [BothyContract.Person] {
        people.map { id in
            BothyContract.Person(
                id: id, name: Self.name(id), handle: "person_\(id)",
                following: following[reader]?.contains(id) ?? false,
                followsYou: followers[reader]?.contains(id) ?? false, isYou: id == reader)
        }
    }

    private func audience(of post: SimulatedPost) -> PostAudience {
        PostAudience(
            kind: post.audience,
            people: post.audience == .people ? post.named.sorted().map(Self.author) : nil)
    }

    static func name(_ person: Int64) -> String { "Person \(person)" }

    private static func author(_ id: Int64) -> AuthorPreview {
        AuthorPreview(id: id, name: name(id), handle: "person_\(id)")
    }
}
