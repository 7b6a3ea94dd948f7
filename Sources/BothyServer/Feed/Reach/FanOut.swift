import BothyContract

/// Brings posts and shares into feeds, in the transaction that makes them: into those of few followers at once, and of many as far as
/// one transaction goes. ``FanOutWork`` does the rest, and ``FeedFilling`` what is loud.
struct FanOut {
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

    /// A post comes into the feeds of who shares it and of all who follow them, as far as they may read it. Where it is already, it stays
    /// at its place.
    func share(_ postId: Int64, of author: Int64, as entryId: Int64, by person: Int64) throws {
        try bring(FeedEntry(entryId: entryId, postId: postId, authorId: author, sharedBy: person))
    }

    /// A post that fewer people may read now goes out of the feeds of the others, and comes into those of whom it names.
    func narrow(_ postId: Int64, by author: Int64) throws {
        try FeedEntryTable(db).removeUnreadable(postId, by: author)
        try bring(FeedEntry(entryId: postId, postId: postId, authorId: author), isLate: true)
    }

    /// A post that is out of the trash comes again into the feeds that it was in, and into those of who follows its author, or who shared
    /// it, since.
    func restore(_ postId: Int64, by author: Int64) throws {
        try FeedEntryTable(db).arriveAgain(postId, by: author)
        try bring(FeedEntry(entryId: postId, postId: postId, authorId: author), isLate: true)
        let shares = try db.query(
            """
            SELECT shared, person_id FROM post_reactions WHERE author_id = ? AND post_id = ? AND shared > 0
            ORDER BY shared
            """, [author.sql, postId.sql])
        for share in shares {
            try bring(
                FeedEntry(
                    entryId: share.int64(0), postId: postId, authorId: author, sharedBy: share.int64(1)),
                isLate: true)
        }
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
        try entries.bring(entry, to: .followers(first))
        if !first.isLast { try FanOutTable(db).insert(FanOutTable.Row(entry: entry, after: first.last)) }
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
