import BothyContract

/// The people of the server. Who is there, and who follows whom, is the server's to say.
package struct DevicePeople: PeopleRepository {
    private let remote: PeopleRemoteSource

    init(_ remote: PeopleRemoteSource) { self.remote = remote }

    package func page(
        matching search: String?, _ relation: PersonRelation?, after place: String?, limit: Int
    ) async throws -> PeoplePage {
        let page = try await remote.page(matching: search, relation, after: place, limit: limit)
        return PeoplePage(people: page.users, next: page.pagination.next)
    }

    package func person(_ id: Int64) async throws -> Person { try await remote.person(id) }

    package func person(handle: Handle) async throws -> Person? { try await remote.person(handle: handle) }

    package func you() async throws -> Person { try await remote.you() }

    package func update(_ update: ProfileUpdate) async throws -> Person { try await remote.update(update) }

    package func invite() async throws -> InviteResponse { try await remote.invite() }

    package func setFollowing(_ isFollowing: Bool, _ person: Int64) async throws -> Bool {
        try await remote.setFollowing(isFollowing, person)
    }

    package func answer(_ isAccepted: Bool, to person: Int64) async throws {
        try await remote.set(isAccepted, "request", person)
    }

    package func remove(follower person: Int64) async throws { try await remote.set(false, "follower", person) }

    package func setMuted(_ isMuted: Bool, _ person: Int64) async throws {
        try await remote.set(isMuted, "mute", person)
    }

    package func setBlocked(_ isBlocked: Bool, _ person: Int64) async throws {
        try await remote.set(isBlocked, "block", person)
    }

    package func report(_ post: Int64, because reason: String) async throws {
        try await remote.report(post, because: reason)
    }
}
