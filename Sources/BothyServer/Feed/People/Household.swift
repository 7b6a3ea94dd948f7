/// A server of a few accounts, where everybody follows everybody.
struct Household {
    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// Somebody new follows all and is followed by all, unless there are more accounts than that.
    func join(_ newcomer: Int64, upTo most: Int) throws {
        for other in try members(upTo: most) where other != newcomer {
            try follow(newcomer, other)
            try follow(other, newcomer)
        }
    }

    /// Once in a server's life: people who were here before there was a feed follow all, too. Whom somebody has stopped following since
    /// stays so.
    func begin(upTo most: Int) throws {
        let state = ServerStateTable(db)
        guard try state.value(Self.key) == nil else { return }
        try state.set(Self.key, "yes")
        let members = try members(upTo: most)
        for reader in members {
            for author in members where author != reader { try follow(reader, author) }
        }
    }

    /// Nothing where it is so already.
    func follow(_ reader: Int64, _ author: Int64) throws {
        if try FollowTable(db).insert(reader, of: author) { try FeedEntryTable(db).follow(author, by: reader) }
    }

    private static let key = "everybody_follows"

    /// Empty where there are more than that.
    private func members(upTo most: Int) throws -> [Int64] {
        let ids = try db.query("SELECT user_id FROM accounts ORDER BY user_id LIMIT ?", [(most + 1).sql])
        return ids.count > most ? [] : ids.map { $0.int64(0) }
    }
}
