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
        let told = row.after == nil ? try await tell(row.entry) : try await work(on: row.entry)
        await notifier.tell(.feed, to: told)
        return .more
    }

    /// - Returns: into whose feeds it came.
    private func work(on entry: FeedEntry) async throws -> Set<Int64> {
        try await database.write { [reach] db in
            // Somebody may have changed what is to be done since.
            guard let row = try FanOutTable(db).again(entry), let after = row.after else { return [] }
            let fanOut = FanOut(db, reach)
            switch row.task {
            case .bring: return try Set(fanOut.carry(entry, after: after))
            case .settle, .arrive: return try Set(fanOut.settle(entry, after: after))
            }
        }
    }

    /// Of what is loud: the entry comes to each when that one reads, which who looks at a feed just now does once told.
    ///
    /// - Returns: the followers who listen.
    private func tell(_ entry: FeedEntry) async throws -> Set<Int64> {
        let listening = await notifier.listening(for: .feed)
        // Asked one by one, and so not while everybody who writes waits.
        let told = try await database.read { db in
            let follows = FollowTable(db)
            return try listening.filter { try follows.follows($0, entry.bringer) }
        }
        try await database.write { db in
            let outbox = FanOutTable(db)
            // It may have been taken back, or narrowed, meanwhile.
            if let row = try outbox.again(entry), row.after == nil { try outbox.delete(entry) }
        }
        return told
    }
}
