import BothyContract

/// What people report to the server's operator of posts, and what is done about it.
package struct Moderation: Sendable {
    /// Reports that are listed at once.
    private static let page = 1_000

    private let database: any Database
    private let stamps: StampSource

    package init(database: any Database, stamps: StampSource) {
        self.database = database
        self.stamps = stamps
    }

    /// - Throws: `not_found` for a post that the caller may not read; `invalid_parameter`.
    package func report(_ request: ReportRequest, on postId: Int64, for caller: Caller) async throws {
        let reason = String(String.UnicodeScalarView(request.reason.unicodeScalars.filter { !$0.acts || $0 == "\n" }))
        guard (1...PersonLimits.reasonLength).contains(reason.unicodeScalars.count) else {
            throw Problem(.invalidParameter, "“reason” has 1 to \(PersonLimits.reasonLength) characters.")
        }
        let now = stamps.now
        try await database.write { db in
            let post = try PostAccess(db, reader: caller.userId).require(postId)
            guard post.author.id != caller.userId else {
                throw Problem(.invalidParameter, "This is your own post. You can delete it.")
            }
            try ReportTable(db).insert(reason, by: caller.userId, on: postId, of: post.author.id, now: now)
        }
    }

    /// The oldest first.
    package func reports() async throws -> [ReportTable.Row] {
        try await database.read { try ReportTable($0).oldest(limit: Self.page) }
    }

    /// - Returns: how many reports of the post there were.
    package func dismiss(_ postId: Int64) async throws -> Int {
        try await database.write(from: .reserve) { try ReportTable($0).dismiss(postId) }
    }

    /// Deletes a post, no matter who wrote it, with what was reported of it.
    ///
    /// - Returns: whether there was one.
    package func remove(_ postId: Int64) async throws -> Bool {
        let stamps = stamps
        return try await database.write(from: .reserve) { db in
            let author = try db.first("SELECT author_id FROM posts WHERE post_id = ?", [postId.sql])?.int64(0)
            guard let author else { return false }
            try PostTable(db).delete(
                postId, of: author, lived: stamps.stamp(driveId: author, deviceId: nil).lived)
            return true
        }
    }
}
