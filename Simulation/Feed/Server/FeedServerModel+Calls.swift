import BothyClient
import BothyContract

/// What is done for the first time.
extension FeedServerModel {
    mutating func act(
        _ call: FeedCall, _ requestId: String?, by person: Int64, at now: Timestamp
    ) throws(Problem) -> FeedAnswer {
        switch call {
        case .publish(let request): return try publish(request, requestId, by: person, at: now)
        case .edit(let id, let content): try edit(id, content, by: person, at: now)
        case .delete(let id):
            try requireOwn(id, of: person)
            posts[id]?.isDeleted = true
        case .interact(let id, let interaction): try interact(interaction, with: id, by: person, at: now)
        case .comment(let id, let request):
            return FeedAnswer(comment: try comment(request, on: id, requestId, by: person, at: now))
        case .deleteComment(let comment, let id): try deleteComment(comment, on: id, by: person)
        case .follow(let author, let isFollowing): try follow(author, isFollowing, by: person)
        }
        return FeedAnswer()
    }

    private func requireOwn(_ id: Int64, of person: Int64) throws(Problem) {
        guard try require(id, for: person).author == person else {
            throw Problem(.notYours, "Only who wrote a post can do this.")
        }
    }

    private static let lostOf = 5

    private mutating func publish(
        _ request: NewPostRequest, _ requestId: String?, by person: Int64, at now: Timestamp
    ) throws(Problem) -> FeedAnswer {
        let named = Set(request.audience?.people ?? []).subtracting([person])
        guard !request.content.isEmpty, request.audience?.kind != .people || !named.isEmpty else {
            throw Problem(.invalidParameter, "A post needs a text, and somebody to read it.")
        }
        let id = nextId(at: now)
        countOfPosts += 1
        if mistakes.contains(.losesPosts), countOfPosts.isMultiple(of: Self.lostOf) { return FeedAnswer(post: id) }
        posts[id] = SimulatedPost(
            id: id, author: person, requestId: requestId, createdAt: now,
            audience: request.audience?.kind ?? .everyone, named: named, content: request.content)
        fanOut(id, by: person)
        return FeedAnswer(post: id)
    }

    private mutating func edit(
        _ id: Int64, _ content: String, by person: Int64, at now: Timestamp
    ) throws(Problem) {
        try requireOwn(id, of: person)
        posts[id]?.content = content
        posts[id]?.version += 1
        posts[id]?.editedAt = now
    }

    private mutating func interact(
        _ interaction: PostInteraction, with id: Int64, by person: Int64, at now: Timestamp
    ) throws(Problem) {
        let post = try require(id, for: person)
        switch interaction {
        case .liked:
            let isNew = posts[id]?.likers.insert(person).inserted ?? false
            if isNew || mistakes.contains(.countsEveryLike) { posts[id]?.likeCount += 1 }
        case .removedLike: if posts[id]?.likers.remove(person) != nil { posts[id]?.likeCount -= 1 }
        case .bookmarked: posts[id]?.bookmarkers.insert(person)
        case .removedBookmark: posts[id]?.bookmarkers.remove(person)
        case .shared:
            guard post.audience == .everyone else {
                throw Problem(.notYours, "Only a post to everyone can be shared.")
            }
            guard post.sharers[person] == nil else { return }
            let entry = nextId(at: now)
            posts[id]?.sharers[person] = entry
            posts[id]?.shareCount += 1
            share(id, as: entry, by: person)
        case .removedShare:
            guard posts[id]?.sharers.removeValue(forKey: person) != nil else { return }
            posts[id]?.shareCount -= 1
            unshare(id, by: person)
        }
    }

    private mutating func comment(
        _ request: NewCommentRequest, on id: Int64, _ requestId: String?, by person: Int64, at now: Timestamp
    ) throws(Problem) -> Comment {
        let post = try require(id, for: person)
        let parent = request.parentCommentId.flatMap { post.comment($0) }
        guard request.parentCommentId == nil || parent != nil else { throw Self.noSuchComment }
        let number = nextId(at: now)
        let made = SimulatedComment(
            id: number, thread: parent?.thread ?? number, parent: request.parentCommentId, author: person,
            requestId: requestId, content: request.content, createdAt: now)
        posts[id]?.comments.append(made)
        posts[id]?.commentCount += 1
        return told(made, of: post)
    }

    private mutating func deleteComment(_ comment: Int64, on id: Int64, by person: Int64) throws(Problem) {
        let post = try require(id, for: person)
        guard let there = post.comment(comment), let place = post.comments.firstIndex(where: { $0.id == comment })
        else { throw Self.noSuchComment }
        guard [there.author, post.author].contains(person) else {
            throw Problem(.notYours, "Only the author of a comment or of its post can delete it.")
        }
        posts[id]?.comments[place].isDeleted = true
        posts[id]?.commentCount -= 1
    }

    private static let noSuchComment = Problem(.notFound, "There is no such comment. It may have been deleted.")

    private mutating func follow(_ author: Int64, _ isFollowing: Bool, by person: Int64) throws(Problem) {
        guard author != person, people.contains(author) else {
            throw Problem(.notFound, "There is nobody to follow by this id.")
        }
        if isFollowing {
            guard following[person, default: []].insert(author).inserted else { return }
            followers[author, default: []].insert(person)
            bringPast(of: author, to: person)
        } else {
            guard following[person]?.remove(author) != nil else { return }
            followers[author]?.remove(person)
            takeOut(author, from: person)
        }
    }
}
