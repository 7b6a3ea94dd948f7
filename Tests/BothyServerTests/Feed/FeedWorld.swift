import BothyContract
import BothyServer
import Testing

/// A few people who follow and write to each other by the server's own functions, and beside it a model of who may read what: two sets
/// and a list, plainly right.
struct FeedWorld {
    struct Post: Sendable {
        var id: Int64
        var author: Int
        var audience: Audience
        var sharers: Set<Int> = []
        var marked: Set<Int> = []
        var version = 1
        var isDeleted = false
    }

    enum Audience: Equatable, Sendable {
        case everyone, followers
        case people(Set<Int>)
    }

    struct Follow: Hashable {
        var follower: Int
        var author: Int
    }

    let people: [SessionResponse]
    private(set) var posts: [Post] = []
    private var follows: Set<Follow> = []
    /// Who does not want to hear of whom; a mute takes nothing but what would come into the feed.
    private var mutes: Set<Follow> = []
    /// Pairs of whom one has blocked the other.
    private var blocks: Set<Set<Int>> = []
    private var random: SeededGenerator
    let services: ServerServices

    init(_ server: AccountServer, seed: UInt64) async throws {
        var people: [SessionResponse] = []
        for name in ["ann", "ben", "cleo", "dan"] {
            people.append(try await server.register("\(name)@example.org"))
        }
        (self.people, services, random) = (people, server.services, SeededGenerator(seed: seed))
    }

    // MARK: - What people do

    /// - Parameter acts: which, as numbers of the cases below.
    mutating func act(_ acts: Range<Int> = 0..<68) async throws {
        let (person, other) = (anybody(), anybody())
        switch Int.random(in: acts, using: &random) {
        case 0..<18: try await post(by: person)
        case 18..<36: try await setFollowing(true, person, other)
        case 36..<42: try await setFollowing(false, person, other)
        case 42..<48: try await interact(.bookmarked, person)
        case 48: try await block(other, by: person)
        case 49: try await interact(.removedShare, person)
        case 50, 51: try await setDeleted(true)
        case 52, 53: try await setDeleted(false)
        case 54: try await narrow()
        case 55, 56: try await setMuted(true, person, other)
        case 57: try await setMuted(false, person, other)
        default: try await interact(.shared, person)
        }
    }

    /// Acts that make posts, share them, and follow people.
    static let (posting, following, sharing) = (0..<18, 18..<36, 58..<68)
    /// Acts that take shares back, narrow posts, and delete them.
    static let taking = [49..<50, 54..<55, 50..<52]

    private mutating func anybody() -> Int { Int.random(in: people.indices, using: &random) }

    private mutating func post(by author: Int) async throws {
        let audience: Audience
        switch Int.random(in: 0..<3, using: &random) {
        case 0: audience = .everyone
        case 1: audience = .followers
        default:
            let named = [(author + 1 + Int.random(in: 0..<3, using: &random)) % 4, anybody()]
            let others = named.filter { $0 != author && !isHidden($0, author) }
            audience = others.isEmpty ? .everyone : .people(Set(others + [author]))
        }
        let request = NewPostRequest(requestId: nil, content: "<p>walks #walk</p>", audience: asked(audience))
        let made = try await services.posts.create(
            request, identity: .none(for: "test"), for: people[author].caller)
        posts.append(Post(id: made.answer.postId, author: author, audience: audience))
    }

    private func asked(_ audience: Audience) -> NewPostAudience {
        switch audience {
        case .everyone: NewPostAudience(kind: .everyone)
        case .followers: NewPostAudience(kind: .followers)
        case .people(let members):
            NewPostAudience(kind: .people, people: members.map { people[$0].user.id })
        }
    }

    private mutating func setFollowing(_ isFollowing: Bool, _ follower: Int, _ author: Int) async throws {
        guard follower != author else { return }
        guard !isHidden(follower, author) else {
            let refusal = try await problemCode {
                try await services.people.setFollowing(
                    isFollowing, people[author].user.id, for: people[follower].caller)
            }
            #expect(refusal == .notFound)
            return
        }
        try await services.people.setFollowing(isFollowing, people[author].user.id, for: people[follower].caller)
        let follow = Follow(follower: follower, author: author)
        if isFollowing { follows.insert(follow) } else { follows.remove(follow) }
    }

    private mutating func interact(_ interaction: PostInteraction, _ person: Int) async throws {
        guard let index = posts.indices.randomElement(using: &random) else { return }
        let (post, services, caller) = (posts[index], services, people[person].caller)
        let refusal = try await problemCode {
            _ = try await services.posts.interact(
                interaction, on: post.id, identity: .none(for: "test"), for: caller)
        }
        let isPublic = post.audience == .everyone
        #expect(refusal == (mayRead(post, person) ? interaction == .shared && !isPublic ? .notYours : nil : .notFound))
        guard refusal == nil else { return }
        switch interaction {
        case .shared: posts[index].sharers.insert(person)
        case .removedShare: posts[index].sharers.remove(person)
        default: posts[index].marked.insert(person)
        }
    }

    private mutating func setDeleted(_ isDeleted: Bool) async throws {
        guard let index = posts.indices.filter({ posts[$0].isDeleted != isDeleted }).randomElement(using: &random)
        else {
            return
        }
        let (post, caller) = (posts[index], people[posts[index].author].caller)
        if isDeleted {
            _ = try await services.posts.delete(post.id, identity: .none(for: "test"), for: caller)
        } else {
            _ = try await services.posts.restore(post.id, identity: .none(for: "test"), for: caller)
        }
        posts[index].isDeleted = isDeleted
    }

    private mutating func narrow() async throws {
        guard
            let index = posts.indices.filter({ posts[$0].audience == .everyone && !posts[$0].isDeleted })
                .randomElement(using: &random)
        else { return }
        let post = posts[index]
        let edited = try await services.posts.edit(
            post.id,
            EditPostRequest(
                requestId: nil, baseVersion: post.version, audience: NewPostAudience(kind: .followers)),
            identity: .none(for: "test"), for: people[post.author].caller)
        #expect(edited.audience.kind == .followers && edited.shareCount == 0)
        posts[index].version += 1
        (posts[index].audience, posts[index].sharers) = (.followers, [])
    }

    private mutating func setMuted(_ isMuted: Bool, _ person: Int, _ other: Int) async throws {
        guard person != other, !isHidden(person, other) else { return }
        try await services.people.setMuted(isMuted, people[other].user.id, for: people[person].caller)
        let mute = Follow(follower: person, author: other)
        if isMuted { mutes.insert(mute) } else { mutes.remove(mute) }
    }

    private mutating func block(_ other: Int, by person: Int) async throws {
        guard person != other, !isHidden(person, other) else { return }
        try await services.people.setBlocked(true, people[other].user.id, for: people[person].caller)
        blocks.insert([person, other])
        follows.remove(Follow(follower: person, author: other))
        follows.remove(Follow(follower: other, author: person))
    }

    // MARK: - The model

    func isHidden(_ one: Int, _ other: Int) -> Bool { blocks.contains([one, other]) }

    func mayRead(_ post: Post, _ reader: Int) -> Bool {
        if post.isDeleted { return false }
        if post.author == reader { return true }
        if isHidden(post.author, reader) { return false }
        switch post.audience {
        case .everyone: return true
        case .followers: return follows.contains(Follow(follower: reader, author: post.author))
        case .people(let members): return members.contains(reader)
        }
    }

    private func isInFeed(_ post: Post, _ reader: Int) -> Bool {
        guard mayRead(post, reader) else { return false }
        if case .people = post.audience { return true }
        let brings = post.sharers.union([post.author])
        return brings.contains {
            $0 == reader || follows.contains(Follow(follower: reader, author: $0)) && isHeard($0, by: reader)
        }
    }

    private func isHeard(_ person: Int, by reader: Int) -> Bool {
        !mutes.contains(Follow(follower: reader, author: person))
    }

    // MARK: - What the server says

    func check(_ post: Post, for reader: Int) async throws {
        let (caller, services) = (people[reader].caller, services)
        let expected: ProblemCode? = mayRead(post, reader) ? nil : .notFound
        let readingIt = try await problemCode {
            let found = try await services.posts.find(post.id, for: caller)
            #expect(found.shareCount == post.sharers.count && found.shared == post.sharers.contains(reader))
            _ = try await services.posts.history(of: post.id, for: caller)
        }
        #expect(readingIt == expected)
        #expect(
            try await problemCode {
                _ = try await services.comments.page(on: post.id, after: nil, limit: 1, for: caller)
            } == expected)
        #expect(
            try await problemCode {
                _ = try await services.comments.create(
                    NewCommentRequest(requestId: nil, content: "a"), on: post.id, identity: .none(for: "test"),
                    for: caller)
            } == expected)
        #expect(
            try await problemCode {
                _ = try await services.posts.interact(
                    .liked, on: post.id, identity: .none(for: "test"), for: caller)
            } == expected)
    }

    /// What a reader's feed shows.
    func shown(to reader: Int) -> Set<Int64> {
        ids { isInFeed($0, reader) && isHeard($0.author, by: reader) }
    }

    func checkLists(for reader: Int) async throws {
        #expect(try await listed(.feed, reader) == shown(to: reader))
        #expect(try await listed(.bookmarks, reader) == ids { $0.marked.contains(reader) && mayRead($0, reader) })
        for author in people.indices {
            if isHidden(author, reader) {
                #expect(
                    try await problemCode { _ = try await listed(.author(people[author].user.id), reader) } == .notFound
                )
                continue
            }
            #expect(
                try await listed(.author(people[author].user.id), reader)
                    == ids { $0.author == author && mayRead($0, reader) })
        }
    }

    /// What a reader's feed has, as the places of the posts among all.
    func feed(of reader: Int) async throws -> [Int] {
        let page = try await services.posts.page(of: .feed, after: nil, limit: 100, for: people[reader].caller)
        return page.feed.compactMap { entry in posts.firstIndex { $0.id == entry.postId } }
    }

    func ids(where isIn: (Post) -> Bool) -> Set<Int64> { Set(posts.filter(isIn).map(\.id)) }

    func listed(_ source: FeedListing.Source, _ reader: Int) async throws -> Set<Int64> {
        let page = try await services.posts.page(of: source, after: nil, limit: 100, for: people[reader].caller)
        #expect(page.feed.count == Set(page.feed.map(\.postId)).count, "each once")
        return Set(page.feed.map(\.postId))
    }
}
