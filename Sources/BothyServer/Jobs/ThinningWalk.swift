/// Walks over every file of every drive, and lets old versions go: one page of files a step, so that nobody waits.
actor ThinningWalk {
    /// Versions that a step looks at.
    private static let page = 2000

    private let thinning: VersionThinning
    private let database: any Database
    private let lived: @Sendable () -> Int64
    private var place = OldVersions.Place()

    init(_ thinning: VersionThinning, database: any Database, lived: @escaping @Sendable () -> Int64) {
        self.thinning = thinning
        self.database = database
        self.lived = lived
    }

    /// - Returns: whether the walk is at its end; the next step begins another.
    func step() async throws -> Job.Step {
        let (from, now) = (place, lived())
        let histories = try await database.read { try OldVersions($0).histories(after: from, limit: Self.page) }
        for history in histories {
            let gone = thinning.thinned(history.made, now: now).map { history.revisions[$0] }
            if gone.isEmpty { continue }
            try await database.write { _ = try OldVersions($0).letGo(gone, of: history.place, lived: now) }
        }
        place = histories.last?.place ?? OldVersions.Place()
        return histories.isEmpty ? .done : .more
    }
}
