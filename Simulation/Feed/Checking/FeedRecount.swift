import BothyContract

/// How things stand by the rules alone, counted from nothing: each request that came, in its order, over plain sets. Who may read what
/// is asked of every post and every person, one by one.
struct FeedRecount: Sendable {
    struct Post: Sendable {
        let author: Int64
        let audience: PostAudience.Kind
        let named: Set<Int64>
        var content: String
        var isDeleted = false
    }

    struct Comment: Sendable {
        let post: Int64
        let author: Int64
        let parent: Int64?
        var isDeleted = false
    }

    /// What a person is to another, or to a post.
    struct Pair: Hashable, Sendable {
        let person: Int64
        let other: Int64
    }

    private(set) var posts = [Int64: Post]()
    private(set) var comments = [Int64: Comment]()
    private(set) var follows = Set<Pair>()
    private(set) var likes = Set<Pair>()
    private(set) var shares = Set<Pair>()
    private(set) var bookmarks = Set<Pair>()

    /// - Throws: a finding, where the server did what it should refuse, or refused what it should do.
    init(_ ledger: FeedLedger) throws(Finding) {
        for arrival in ledger.arrivals {
            guard allows(arrival.call, by: arrival.person, ledger.people) == arrival.isAccepted else {
                let verb = arrival.isAccepted ? "did" : "refused"
                throw Finding(.misread, "The server \(verb) for person \(arrival.person): \(arrival.call).")
            }
            if arrival.isAccepted { take(arrival) }
        }
    }

    // MARK: - The rules

    func mayRead(_ id: Int64, _ reader: Int64) -> Bool {
        guard let post = posts[id], !post.isDeleted else { return false }
        if post.author == reader || post.audience == .everyone { return true }
        if post.audience == .people { return post.named.contains(reader) }
        return follows.contains(Pair(person: reader, other: post.author))
    }

    /// A post is in the feed of a person who may read it: her own, one of somebody whom she follows, one to her by name, or one that she
    /// or somebody whom she follows has shared.
    func feed(of reader: Int64) -> Set<Int64> {
        let followed = Set(follows.filter { $0.person == reader }.map(\.other))
        let shared = Set(shares.filter { $0.person == reader || followed.contains($0.person) }.map(\.other))
        return Set(
            posts.filter { id, post in
                mayRead(id, reader)
                    && (post.author == reader || followed.contains(post.author) || post.named.contains(reader)
                        || shared.contains(id))
            }.keys)
    }

    /// Comments that are there.
    func comments(on post: Int64) -> Set<Int64> {
        Set(comments.filter { $0.value.post == post && !$0.value.isDeleted }.keys)
    }

    private func isThere(_ comment: Int64, on post: Int64) -> Bool {
        comments[comment].map { $0.post == post && !$0.isDeleted } ?? false
    }

    private func allows(_ call: FeedCall, by person: Int64, _ people: ClosedRange<Int64>) -> Bool {
        switch call {
        case .publish(let request):
            let named = Set(request.audience?.people ?? []).subtracting([person])
            return !request.content.isEmpty && (request.audience?.kind != .people || !named.isEmpty)
        case .edit(let id, _), .delete(let id): return mayRead(id, person) && posts[id]?.author == person
        case .interact(let id, let interaction):
            return mayRead(id, person) && (interaction != .shared || posts[id]?.audience == .everyone)
        case .comment(let id, let request):
            return mayRead(id, person) && request.parentCommentId.map { isThere($0, on: id) } ?? true
        case .deleteComment(let comment, let id):
            let authors = [comments[comment]?.author, posts[id]?.author]
            return mayRead(id, person) && isThere(comment, on: id) && authors.contains(person)
        case .follow(let other, _): return other != person && people.contains(other)
        }
    }

    // MARK: - Taking in

    private mutating func take(_ arrival: FeedLedger.Arrival) {
        let person = arrival.person
        switch arrival.call {
        case .publish(let request):
            guard let id = arrival.made else { return }
            posts[id] = Post(
                author: person, audience: request.audience?.kind ?? .everyone,
                named: Set(request.audience?.people ?? []).subtracting([person]), content: request.content)
        case .edit(let id, let content): posts[id]?.content = content
        case .delete(let id): posts[id]?.isDeleted = true
        case .interact(let id, let interaction): take(interaction, Pair(person: person, other: id))
        case .comment(let id, let request):
            guard let made = arrival.made else { return }
            comments[made] = Comment(post: id, author: person, parent: request.parentCommentId)
        case .deleteComment(let comment, _): comments[comment]?.isDeleted = true
        case .follow(let other, true): follows.insert(Pair(person: person, other: other))
        case .follow(let other, false): follows.remove(Pair(person: person, other: other))
        }
    }

    private mutating func take(_ interaction: PostInteraction, _ pair: Pair) {
        switch interaction {
        case .liked: likes.insert(pair)
        case .removedLike: likes.remove(pair)
        case .shared: shares.insert(pair)
        case .removedShare: shares.remove(pair)
        case .bookmarked: bookmarks.insert(pair)
        case .removedBookmark: bookmarks.remove(pair)
        }
    }
}
