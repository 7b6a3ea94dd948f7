import BothyContract

/// The people of this server, and who follows whom.
package struct People: Sendable {
    private let database: any Database

    package init(database: any Database) { self.database = database }

    /// - Throws: `page_invalid`.
    package func page(after: String?, limit: Int, for caller: Caller) async throws -> GetUsersResponse {
        let listing = PeopleListing(
            limit: limit, after: try PageCursor.read(PeopleListing.Position.self, from: after))
        let page = try await database.read { try listing.page(in: $0, seenBy: caller.userId) }
        return GetUsersResponse(
            users: page.people,
            pagination: PaginationMetadata(next: try page.next.map { try PageCursor.text($0) }, limit: limit))
    }

    /// - Throws: `not_found`.
    package func find(_ id: Int64, for caller: Caller) async throws -> Person {
        try await database.read { try FollowTable($0).require(id, seenBy: caller.userId) }
    }

    /// Whoever is followed has her posts in the follower's feed; whoever is not any more has none in it.
    ///
    /// - Throws: `not_found`; `invalid_parameter` for oneself.
    package func setFollowing(_ isFollowing: Bool, _ id: Int64, for caller: Caller) async throws {
        guard id != caller.userId else {
            throw Problem(.invalidParameter, "Your own posts are in your feed anyhow.")
        }
        try await database.write { db in
            let (follows, entries) = (FollowTable(db), FeedEntryTable(db))
            if isFollowing {
                _ = try follows.require(id, seenBy: caller.userId)
                if try follows.insert(caller.userId, of: id) { try entries.follow(id, by: caller.userId) }
            } else if try follows.delete(caller.userId, of: id) {
                try entries.unfollow(id, by: caller.userId)
            } else {
                _ = try follows.require(id, seenBy: caller.userId)
            }
        }
    }
}
