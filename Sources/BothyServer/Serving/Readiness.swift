import BothyContract

/// Whether the server can do its work: the database answers and the packs take writes.
package struct Readiness: Sendable {
    private let database: any Database
    private let packs: any PackStore

    package init(database: any Database, packs: any PackStore) {
        self.database = database
        self.packs = packs
    }

    /// - Throws: ``Problem`` `store_failed`; what failed is told in the log.
    package func check() async throws {
        try packs.checkHealth()
        try await database.checkHealth()
    }
}
