import BothyContract
import GRDB

/// What is kept here of posts, held against what the server has.
extension FeedStore {
    /// What is kept, the newest first, each at the oldest version of what is kept of it.
    ///
    /// - Parameter id: where the part before this one ended; nil for the first.
    func heldPosts(before id: Int64?, limit: Int) async throws -> [PostAtVersion] {
        try await read { db in try PostTable.versions(before: id, limit: limit, in: db) }
    }

    /// The server says that they are not there any more: nothing of them stays, nor what was told of them.
    package func forget(_ posts: [Int64]) async throws {
        try await write { db in
            for post in posts { try PostTable.delete(post, in: db) }
            guard var kept: NotificationsResponse = try KeptAnswerTable.find(.notifications, in: db) else {
                // Of what cannot be read, nobody knows whether it tells of them.
                return try KeptAnswerTable.remove(.notifications, in: db)
            }
            let gone = Set(posts)
            kept.notifications.removeAll { $0.postId.map(gone.contains) ?? false }
            try KeptAnswerTable.put(kept, as: .notifications, in: db)
        }
    }

    func isCheckDue() async throws -> Bool {
        let now = clock.now()
        return try await settings.read { db in try PostCheckSetting.known(in: db).isDue(at: now) }
    }

    /// - Parameter time: when the server was asked; nil where it was found to be away.
    func noteCheck(at time: Timestamp?) async throws {
        let noted = PostCheckSetting(checkedAt: time)
        guard try await settings.read({ db in try PostCheckSetting.known(in: db) }) != noted else { return }
        try await settings.write { db in try noted.keep(in: db) }
    }
}
