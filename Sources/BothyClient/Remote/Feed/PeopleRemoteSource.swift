import BothyContract
import NIOHTTP1

/// People as the server tells of them.
package struct PeopleRemoteSource: Sendable {
    private let network: NetworkDispatcher
    private let retries: RetryPolicy

    package init(network: NetworkDispatcher, retries: RetryPolicy = .interactive) {
        self.network = network
        self.retries = retries
    }

    package func page(
        matching search: String?, _ relation: PersonRelation?, after place: String?, limit: Int
    ) async throws -> GetUsersResponse {
        try await fetch(
            users,
            [
                QueryNames.searchText: search, QueryNames.relation: relation?.rawValue, QueryNames.page: place,
                QueryNames.limit: String(limit),
            ])
    }

    package func person(_ id: Int64) async throws -> Person { try await fetch(users + [String(id)]) }

    package func person(handle: Handle) async throws -> Person? {
        let found: GetUsersResponse = try await fetch(users, [QueryNames.handle: handle.text])
        return found.users.first
    }

    package func you() async throws -> Person { try await fetch(users + ["me"]) }

    /// Bytes of a small picture.
    private static let mostPicture = 1 << 20

    package func picture(of id: Int64) async throws -> ServedContent {
        let answer = try await send(
            WireRequest(.GET, Person.picture(of: id), answerLimit: Self.mostPicture, retries: .brief))
        return KeptPictures.Picture(mimeType: answer.mimeType, bytes: answer.body).served(as: String(id))
    }

    package func update(_ update: ProfileUpdate) async throws -> Person {
        try await send(.json(.PATCH, WireRequest.path(users + ["me"]), update, retries: retries))
            .decoded(as: Person.self)
    }

    package func invite() async throws -> InviteResponse {
        try await send(.json(.POST, "/v1/invites", InviteRequest(), retries: retries)).decoded(as: InviteResponse.self)
    }

    /// Sets one of what people are to each other.
    @discardableResult
    package func set(_ isOn: Bool, _ what: String, _ person: Int64) async throws -> WireResponse {
        let target = WireRequest.path(users + [String(person), what])
        return try await send(WireRequest(isOn ? .PUT : .DELETE, target, retries: retries))
    }

    package func report(_ post: Int64, because reason: String) async throws {
        let target = WireRequest.path(["v1", "posts", String(post), "report"])
        try await send(.json(.POST, target, ReportRequest(reason: reason), retries: retries))
    }

    // MARK: - Asking

    private let users = ["v1", "users"]

    private func fetch<Value: Decodable>(
        _ path: [String], _ query: KeyValuePairs<String, String?> = [:]
    ) async throws -> Value {
        try await send(WireRequest(.GET, WireRequest.path(path, query), retries: retries)).decoded(as: Value.self)
    }

    @discardableResult
    private func send(_ request: WireRequest) async throws -> WireResponse {
        do {
            return try await network.send(request)
        } catch let failure as ClientFailure where failure.code == .notFound {
            // The usual advice is about folders.
            throw failure.with { $0.remedy = "Check the list of people." }
        }
    }
}
