/// The web app of a device, as its agent serves it.
package protocol AgentWeb: Sendable {
    /// Serves from now on.
    ///
    /// - Returns: where: `http://127.0.0.1:8421`.
    /// - Throws: `refused` where nothing can be served.
    func serve() async throws -> String

    /// A way in for one browser.
    func newEntry() async -> AgentWebEntry

    func stop() async
}

/// A way in that is good once, and for a while.
package struct AgentWebEntry: Sendable {
    package var token: String
    /// Returns once it was used, or is no longer valid.
    package var isOver: @Sendable () async -> Void

    package init(token: String, isOver: @escaping @Sendable () async -> Void) {
        self.token = token
        self.isOver = isOver
    }
}
