import BothyContract

/// A person's posts that wait at the server for their time. What it said of them last is kept here for when it cannot be asked; to move or
/// delete one needs a connection.
package struct DeviceScheduledPosts: ScheduledPostsRepository {
    private let remote: ScheduledPostsRemoteSource
    private let store: FeedStore

    init(_ remote: ScheduledPostsRemoteSource, store: FeedStore) {
        self.remote = remote
        self.store = store
    }

    package func all() async throws -> Known<[ScheduledPost]> {
        let known = try await store.known(.scheduled) { ScheduledPostsResponse(posts: try await remote.all()) }
        return Known(known.value.posts, unreached: known.unreached)
    }

    package func move(_ id: Int64, to time: Timestamp) async throws { try await remote.move(id, to: time) }

    package func delete(_ id: Int64) async throws { try await remote.delete(id) }
}
