/// Carries what lies in the outbox into the feeds of the other followers, one batch a transaction.
package struct FanOutWork: Sendable {
    private let database: any Database
    private let notifier: Notifier
    private let reach: FeedReach

    init(database: any Database, notifier: Notifier, reach: FeedReach) {
        self.database = database
        self.notifier = notifier
        self.reach = reach
    }

    /// One batch of the oldest entry. What a crash broke off goes on after the last batch that was written.
    package func step() async throws -> Job.Step {
        guard let row = try await database.read({ try FanOutTable($0).first() }) else { return .done }
        let told = row.after == nil ? try await tell(row.entry) : try await bring(row.entry)
        await notifier.tell(.feed, to: told)
        return .more
    }

    /// - Returns: into whose feeds it came.
    private func bring(_ entry: FeedEntry) async throws -> Set<Int64> {
        try await database.write { [reach] db in
            let outbox = FanOutTable(db)
            // A share may have been taken back since.
            guard let after = try outbox.again(entry)?.after, try ReactionTable(db).stands(entry) else {
                try outbox.delete(entry)
                return []
            }
            let batch = try FollowTable(db).followers(of: entry.bringer, after: after, limit: reach.batch)
            let readers = try FeedEntryTable(db).bring(entry, to: .followers(batch))
            if batch.isLast { try outbox.delete(entry) } else { try outbox.came(entry, to: batch.last) }
            return Set(readers)
        }
    }

    /// Of what is loud: the entry comes to each when that one reads, which who looks at a feed just now does once told.
    ///
    /// - Returns: the followers who listen.
    private func tell(_ entry: FeedEntry) async throws -> Set<Int64> {
        let listening = await notifier.listening(for: .feed)
        return try await database.write { db in
            try FanOutTable(db).delete(entry)
            let follows = FollowTable(db)
            return try listening.filter { try follows.follows($0, entry.bringer) }
        }
    }
}
