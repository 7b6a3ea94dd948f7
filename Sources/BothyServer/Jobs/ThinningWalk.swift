/// Walks over every file of every drive, and lets old versions go: one page of files a step, so that nobody waits.
actor ThinningWalk {
    /// Versions that a step looks at.
    private static let page = 2000
    /// Versions that one transaction lets go, so that no one waits long behind it.
    private static let mostAtOnce = 200

    private let thinning: VersionThinning
    private let database: any Database
    private let lived: @Sendable () -> Int64
    private var place = OldVersions.Place()
    /// When this walk began, in lived seconds.
    private var begun: Int64 = 0

    init(_ thinning: VersionThinning, database: any Database, lived: @escaping @Sendable () -> Int64) {
        self.thinning = thinning
        self.database = database
        self.lived = lived
    }

    /// - Returns: whether the walk is at its end; the next step begins another.
    func step() async throws -> Job.Step {
        if place == OldVersions.Place() { try await begin() }
        let (from, now) = (place, lived())
        let histories = try await database.read { try OldVersions($0).histories(after: from, limit: Self.page) }
        for history in histories {
            let gone = thinning.thinned(history.made, now: begun).map { history.revisions[$0] }
            var left = gone[...]
            while !left.isEmpty {
                let some = Array(left.prefix(Self.mostAtOnce))
                left = left.dropFirst(
                    try await database.write(from: .reserve) {
                        try OldVersions($0).letGo(some, of: history.place, lived: now)
                    })
            }
        }
        place = histories.last?.place ?? OldVersions.Place()
        return histories.isEmpty ? .done : .more
    }

    /// Says which spans are thinned before the first version goes, so that a restore that starts now asks for none of them.
    private func begin() async throws {
        begun = lived()
        let spans = thinning.spans(at: begun)
        try await database.write(from: .reserve) { try ThinnedSpans.read($0).joined(spans).keep(in: $0) }
    }
}
