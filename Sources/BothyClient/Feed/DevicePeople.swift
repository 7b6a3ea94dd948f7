import BothyContract

/// The people of the server. Who is there, and who follows whom, is the server's to say.
package struct DevicePeople: PeopleRepository {
    private let remote: PostsRemoteSource

    init(_ remote: PostsRemoteSource) { self.remote = remote }

    package func page(after place: String?, limit: Int) async throws -> PeoplePage {
        let page = try await remote.people(after: place, limit: limit)
        return PeoplePage(people: page.users, next: page.pagination.next)
    }

    package func person(_ id: Int64) async throws -> Person { try await remote.person(id) }

    package func setFollowing(_ isFollowing: Bool, _ person: Int64) async throws {
        try await remote.setFollowing(isFollowing, person)
    }
}
