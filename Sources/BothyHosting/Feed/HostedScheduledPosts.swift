import BothyClient
import BothyContract
import BothyServer

/// A person's posts that wait for their time, straight from the server's database.
struct HostedScheduledPosts: ScheduledPostsRepository {
    private let services: ServerServices
    private let caller: Caller

    init(_ services: ServerServices, _ caller: Caller) {
        self.services = services
        self.caller = caller
    }

    func all() async throws -> Known<[ScheduledPost]> {
        Known(try await failing { try await services.posts.scheduled(for: caller).posts })
    }

    func move(_ id: Int64, to time: Timestamp) async throws {
        _ = try await failing { try await services.posts.reschedule(id, at: time, for: caller) }
    }

    func delete(_ id: Int64) async throws {
        try await failing { try await services.posts.deleteScheduled(id, for: caller) }
    }
}
