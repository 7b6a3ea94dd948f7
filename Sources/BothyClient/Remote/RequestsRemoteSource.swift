import BothyContract

/// What the server tells of requests by their ids. One call a method; nothing is kept here.
struct RequestsRemoteSource: Sendable {
    let network: NetworkDispatcher

    /// - Parameter withdrawing: it is refused from now on, if nothing has come of it.
    func end(of requestId: String, withdrawing: Bool) async throws -> RequestEndResponse {
        try await network.fetch(
            RequestEndResponse.self,
            WireRequest(
                withdrawing ? .DELETE : .GET, WireRequest.path(["v1", "requests", requestId]), retries: .none))
    }
}
