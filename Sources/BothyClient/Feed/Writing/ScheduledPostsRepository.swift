import BothyContract

/// A person's posts that the server has, and posts at their time. Nobody else sees them before.
public protocol ScheduledPostsRepository: Sendable {
    /// All of them, the next one first.
    ///
    /// - Throws: `offline` where they were never asked for here.
    func all() async throws -> Known<[ScheduledPost]>

    /// Gives a post another time.
    ///
    /// - Parameter time: one that is over posts it at once.
    /// - Throws: `offline`; `notFound` for what was posted or deleted meanwhile; `refused` for a time too far away.
    func move(_ id: Int64, to time: Timestamp) async throws

    /// - Throws: `offline`; `notFound` for what was posted or deleted meanwhile.
    func delete(_ id: Int64) async throws
}
