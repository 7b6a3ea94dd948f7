import BothyClient
import BothyContract
import BothyServer

/// The people of the server, straight from its database.
struct HostedPeople: PeopleRepository {
    private let services: ServerServices
    private let caller: Caller

    init(_ services: ServerServices, _ caller: Caller) {
        self.services = services
        self.caller = caller
    }

    func page(after place: String?, limit: Int) async throws -> PeoplePage {
        try await failing {
            let page = try await services.people.page(after: place, limit: limit, for: caller)
            return PeoplePage(people: page.users, next: page.pagination.next)
        }
    }

    func person(_ id: Int64) async throws -> Person {
        try await failing { try await services.people.find(id, for: caller) }
    }

    func setFollowing(_ isFollowing: Bool, _ person: Int64) async throws {
        try await failing { try await services.people.setFollowing(isFollowing, person, for: caller) }
    }
}
