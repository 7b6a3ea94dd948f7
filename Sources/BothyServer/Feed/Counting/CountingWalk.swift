import Synchronization

/// Counts all likes, shares and comments again, some posts at a time, to see that the counts which are kept are right.
package final class CountingWalk: Sendable {
    private static let batch = 200

    private struct State {
        var last: Int64 = 0
        var differences = 0
    }

    private let database: any Database
    private let state = Mutex(State())

    package init(database: any Database) { self.database = database }

    /// Posts and comments whose counts were wrong, since this process began. None, unless something is the matter.
    package var differences: Int { state.withLock { $0.differences } }

    package func step() async throws -> Job.Step {
        let last = state.withLock { $0.last }
        let look = try await database.write(from: .reserve) { try PostCounts($0).look(after: last, limit: Self.batch) }
        state.withLock { state in
            state.last = look.last ?? 0
            state.differences += look.differences
        }
        return look.last == nil ? .done : .more
    }
}
