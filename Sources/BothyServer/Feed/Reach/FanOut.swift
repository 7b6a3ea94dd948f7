import BothyContract

/// Brings posts and shares into feeds, in the transaction that makes them: into those of all followers where one batch reaches them.
/// Of more, ``FanOutWork`` brings them, so that an author waits for no feed but her own. ``FeedFilling`` does what is loud.
struct FanOut {
    /// Of a post that is restored, the first batch of so many shares is carried at once.
    private static let sharesAtOnce = 4

    private let db: any SQLConnection
    private let reach: FeedReach

    init(_ db: any SQLConnection, _ reach: FeedReach) {
        self.db = db
        self.reach = reach
    }

    /// A new post comes into the feeds of its author, of all who follow her, and of those whom it names, as far as they may read it.
    func post(_ postId: Int64, by author: Int64) throws {
        try bring(FeedEntry(entryId: postId, postId: postId, authorId: author))
    }

    /// A post comes into the feeds of the person who shares it and of all their followers, as far as they may read it. Where it is
    /// already, it stays at its place.
    func share(_ postId: Int64, of author: Int64, as entryId: Int64, by person: Int64) throws {
        try bring(FeedEntry(entryId: entryId, postId: postId, authorId: author, sharedBy: person))
    }

    /// A share that was taken back goes out of the feeds that have the post by it.
    func unshare(_ share: FeedEntry) throws { try settle(share) }

    /// A post that fewer people may read now goes out of the feeds of the others, and comes into those of whom it names.
    func narrow(_ postId: Int64, by author: Int64) throws {
        try settle(FeedEntry(entryId: postId, postId: postId, authorId: author))
    }

    /// A post that is out of the trash comes again into the feeds that it was in, and into those of the followers of its author, or of
    /// the one who shared it, since.
    func restore(_ postId: Int64, by author: Int64) throws {
        let post = FeedEntry(entryId: postId, postId: postId, authorId: author)
        try settle(post, arriving: true)
        try FanOutTable(db).insertShares(of: post)
        for share in try ReactionTable(db).shares(of: post, limit: Self.sharesAtOnce) { try carry(share, after: 0) }
    }

    /// Settles a batch of the feeds that have an entry. ``FanOutWork`` does the others, and a page shows meanwhile what it will show then.
    ///
    /// - Parameters:
    ///   - after: the last reader whose feed is settled.
    ///   - arriving: whether it arrives once more in those that keep it.
    /// - Returns: to whom it arrived.
    @discardableResult
    func settle(_ entry: FeedEntry, after: Int64 = 0, arriving: Bool = false) throws -> [Int64] {
        let (feeds, outbox) = (FeedEntryTable(db), FanOutTable(db))
        let stands = try ReactionTable(db).stands(entry)
        let batch = try feeds.feeds(with: entry, after: after, limit: reach.batch)
        // It may be on its way already.
        let isArriving = try arriving || outbox.again(entry)?.task == .arrive
        try feeds.settle(entry, in: batch)
        let told = isArriving ? try feeds.arriveAgain(entry, in: batch) : []
        if batch.isLast {
            try outbox.delete(entry)
            if stands { try bring(entry, isLate: true) }
        } else {
            try outbox.insert(
                FanOutTable.Row(entry: entry, after: batch.last, task: isArriving ? .arrive : .settle))
            if stands, after == 0 { try feeds.bring(entry, to: .near) }
        }
        return told
    }

    /// Brings an entry that lies in the outbox into the next batch of feeds.
    ///
    /// - Returns: whose they are.
    @discardableResult
    func carry(_ entry: FeedEntry, after: Int64) throws -> [Int64] {
        let (outbox, feeds) = (FanOutTable(db), FeedEntryTable(db))
        // A share may have been taken back since.
        guard try ReactionTable(db).stands(entry) else {
            try outbox.delete(entry)
            return []
        }
        let near = after == 0 ? try feeds.bring(entry, to: .near) : []
        let batch = try FollowTable(db).followers(of: entry.bringer, after: after, limit: reach.batch)
        let readers = try feeds.bring(entry, to: .followers(batch))
        if batch.isLast { try outbox.delete(entry) } else { try outbox.came(entry, to: batch.last) }
        return near + readers
    }

    /// - Parameter isLate: whether readers may have been here since its place, and would not look there again: it is carried to them,
    ///   however many there are.
    private func bring(_ entry: FeedEntry, isLate: Bool = false) throws {
        let entries = FeedEntryTable(db)
        try entries.bring(entry, to: .near)
        // Nobody else may read what is to people by name.
        guard try !StoredAudience.isToPeople(entry.postId, by: entry.authorId, in: db) else { return }
        let first = try FollowTable(db).followers(of: entry.bringer, after: 0, limit: reach.batch)
        // Nobody is loud whose followers one transaction reaches, unless fewer than it reaches are enough for that.
        if !isLate, !first.isLast || reach.mostFollowers < reach.batch, try isLoud(entry.bringer) {
            try LoudEntryTable(db).add(entry)
            return try FanOutTable(db).insert(FanOutTable.Row(entry: entry, after: nil))
        }
        guard first.isLast else { return try FanOutTable(db).insert(FanOutTable.Row(entry: entry, after: 0)) }
        try entries.bring(entry, to: .followers(first))
    }

    /// Whether what somebody posts is left to its readers, from now on if not yet.
    private func isLoud(_ person: Int64) throws -> Bool {
        let loud = LoudEntryTable(db)
        if try loud.isLoud(person) { return true }
        guard try FollowTable(db).hasMoreFollowers(person, than: reach.mostFollowers) else { return false }
        try loud.begin(person)
        return true
    }
}
