extension Result where Failure == any Error {
    /// What a body that takes its time returns, or throws.
    package init(awaiting body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
