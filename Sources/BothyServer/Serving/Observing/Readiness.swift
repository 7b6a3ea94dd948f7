import BothyContract

/// Whether the server can do its work: whether the database and the packs take a write now.
///
/// It is told from a write, and not from what answers: a disk that has turned read-only still answers all that is asked.
package actor Readiness {
    /// Seconds for which an answer holds, so that frequent requests cost the disk little.
    static let holds = 1.0

    private let database: any Database
    private let packs: any PackStore
    private let clock: any ServerClock
    private var last: (at: Double, failure: Problem?)?
    private var look: Task<Problem?, Never>?

    package init(database: any Database, packs: any PackStore, clock: any ServerClock) {
        self.database = database
        self.packs = packs
        self.clock = clock
    }

    /// - Throws: ``Problem`` `store_failed`.
    package func check() async throws {
        if let last, clock.uptimeSeconds() - last.at < Self.holds {
            if let failure = last.failure { throw failure }
            return
        }
        // Callers that ask meanwhile wait for the same look.
        let asked = look ?? Task { await self.write() }
        look = asked
        if let failure = await asked.value { throw failure }
    }

    private func write() async -> Problem? {
        var failure: Problem?
        do {
            try packs.checkHealth()
            try await database.checkHealth()
            try await packs.probe()
            let now = String(clock.now().milliseconds)
            try await database.write(from: .reserve) { try ServerStateTable($0).set(Self.key, now) }
        } catch DatabaseError.busy {
            // Many wait for a working disk.
        } catch {
            failure = Self.problem(error)
        }
        last = (clock.uptimeSeconds(), failure)
        look = nil
        return failure
    }

    /// The row that is written.
    private static let key = "probed_ms"

    private static func problem(_ error: any Error) -> Problem {
        let problem = Problem(describing: error)
        return problem.code == .storeFailed ? problem : Problem(.storeFailed, problem.detail)
    }
}
