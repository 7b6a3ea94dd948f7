import BothyContract
import Synchronization

/// Writes whom something concerns, in the transaction that does it, and gathers who is to hear of it once that has ended.
struct Telling {
    private let db: any SQLConnection
    private let now: Timestamp
    private let lived: Int64
    private let actor: Int64
    private let hearers: FeedHearers

    /// - Parameters:
    ///   - lived: seconds of the server's lived time.
    ///   - actor: who does it: nobody is told of her own acts.
    ///   - hearers: emptied first, for a transaction may run twice.
    init(_ db: any SQLConnection, now: Timestamp, lived: Int64, actor: Int64, to hearers: FeedHearers) {
        self.db = db
        (self.now, self.lived) = (now, lived)
        self.actor = actor
        self.hearers = hearers
        hearers.clear()
    }

    /// The same in a mutation, of who asked for it.
    init(_ db: any SQLConnection, _ stamp: ChangeStamp, to hearers: FeedHearers) {
        self.init(db, now: stamp.now, lived: stamp.lived, actor: stamp.driveId, to: hearers)
    }

    /// A post is there: those whose feeds it came into hear of it, and those whom it names are told.
    func posted(_ post: (id: Int64, author: Int64), _ text: PostText) throws {
        let readers = try db.query(
            "SELECT reader_id FROM feed_entries WHERE author_id = ? AND post_id = ?", [post.author.sql, post.id.sql])
        hearers.addFeed(readers.map { $0.int64(0) })
        try mention(text, post, comment: nil, id: post.id, besides: [])
    }

    /// A post is not as it was: readers who have it open hear of it, and whom it names now, and did not before, is told.
    ///
    /// - Parameter text: nil where its words are the same.
    func edited(_ post: (id: Int64, author: Int64), _ text: PostText?) throws {
        hearers.addPost(post.id)
        if let text { try mention(text, post, comment: nil, id: post.id, besides: []) }
    }

    /// A post is gone, or back: readers who have it open hear of it.
    func setDeleted(_ post: Int64) { hearers.addPost(post) }

    /// - Parameter parent: who wrote the comment that it replies to.
    func commented(
        _ comment: Int64, _ text: PostText, on post: (id: Int64, author: Int64), replyingTo parent: Int64?
    ) throws {
        hearers.addPost(post.id)
        var told = Set<Int64>()
        if let parent {
            try tell(.reply, parent, post, comment: comment, id: comment)
            told.insert(parent)
        }
        if told.insert(post.author).inserted {
            try tell(.comment, post.author, post, comment: comment, id: comment)
        }
        try mention(text, post, comment: comment, id: comment, besides: told)
    }

    /// - Parameter id: made for the interaction, before the transaction.
    func interacted(_ interaction: PostInteraction, with post: (id: Int64, author: Int64), id: Int64) throws {
        if interaction != .bookmarked, interaction != .removedBookmark { hearers.addPost(post.id) }
        switch interaction {
        case .liked: try tell(.like, post.author, post, comment: nil, id: id)
        case .shared: try tell(.share, post.author, post, comment: nil, id: id)
        case .removedLike: try takeBack(.like, of: post)
        case .removedShare: try takeBack(.share, of: post)
        case .bookmarked, .removedBookmark: break
        }
    }

    private func takeBack(_ kind: FeedNotification.Kind, of post: (id: Int64, author: Int64)) throws {
        try NotificationTable(db).setTakenBack(true, kind, by: actor, post: post.id, for: post.author)
        hearers.addNotified(post.author)
    }

    private func mention(
        _ text: PostText, _ post: (id: Int64, author: Int64), comment: Int64?, id: Int64, besides told: Set<Int64>
    ) throws {
        for person in text.mentioned where !told.contains(person) {
            try tell(.mention, person, post, comment: comment, id: id)
        }
    }

    func followed(_ person: Int64) throws { try tell(.follow, person, nil, comment: nil, id: 0) }

    /// Somebody who is asked before anybody follows her.
    func askedToFollow(_ person: Int64) throws { try tell(.followRequest, person, nil, comment: nil, id: 0) }

    /// The actor no longer follows somebody, or no longer asks to.
    func unfollowed(_ person: Int64) throws {
        for kind in [FeedNotification.Kind.follow, .followRequest] {
            try NotificationTable(db).setTakenBack(true, kind, by: actor, post: nil, for: person)
        }
        hearers.addNotified(person)
    }

    private func tell(
        _ kind: FeedNotification.Kind, _ reader: Int64, _ post: (id: Int64, author: Int64)?, comment: Int64?,
        id: Int64
    ) throws {
        guard reader != actor, try post.map({ try PostAccess(db, reader: reader).mayRead($0.id) }) ?? true else {
            return
        }
        let event = NotificationTable.Event(
            kind: kind, actor: actor, post: post, comment: comment, id: id, now: now, lived: lived)
        if try NotificationTable(db).insert(event, for: reader) { hearers.addNotified(reader) }
    }
}

/// Who is to hear of something once its transaction has ended.
package final class FeedHearers: Sendable {
    private struct Gathered {
        var feed = Set<Int64>()
        var notified = Set<Int64>()
        /// Those that are not as they were.
        var posts = Set<Int64>()
    }

    private let gathered = Mutex(Gathered())

    func clear() { gathered.withLock { $0 = Gathered() } }

    func addFeed(_ people: [Int64]) { gathered.withLock { $0.feed.formUnion(people) } }

    func addNotified(_ person: Int64) { gathered.withLock { _ = $0.notified.insert(person) } }

    func addPost(_ post: Int64) { gathered.withLock { _ = $0.posts.insert(post) } }

    func wake(by notifier: Notifier) async {
        let all = gathered.withLock { $0 }
        await notifier.tell(.feed, to: all.feed)
        await notifier.tell(.notifications, to: all.notified)
        await notifier.tell(ofPosts: all.posts)
    }
}
