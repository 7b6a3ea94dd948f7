import BothyContract

/// Searching what this device knows, names alone: the same with a connection and without one.
struct DeviceSearch: FileSearching {
    /// Names that are looked at closely; a search that would want more says that it is not complete.
    private static let most = 2000

    private let replica: ReplicaEngine

    init(_ replica: ReplicaEngine) { self.replica = replica }

    func find(_ text: String, limit: Int) async throws -> SearchFindings {
        let terms = NameWords.terms(of: text)
        guard !terms.isEmpty else { return SearchFindings(items: [], isComplete: true, hasTexts: false) }
        var (findings, files) = try await find(terms, limit)
        for place in findings.items.indices where !files[place].isFolder {
            findings.items[place].isAtHand = try await replica.isAtHand(files[place])
        }
        return findings
    }

    /// - Returns: what was found, and each as the replica has it.
    private func find(_ terms: [String], _ limit: Int) async throws -> (SearchFindings, [ReplicaFile]) {
        try await replica.read { view in
            let (candidates, isWhole) = try view.candidates(for: terms, most: Self.most)
            var found = [(file: ReplicaFile, rank: NameWords.Rank)]()
            for file in candidates where !file.hidden && file.luid != .root {
                guard NameWords.matches(of: terms, in: file.name) != nil, try !view.isTrashed(file.luid) else {
                    continue
                }
                found.append((file, NameWords.rank(of: file.name, for: terms)))
            }
            found.sort(by: Self.precedes)
            let files = found.prefix(limit).map(\.file)
            let items = try files.map { try view.found($0) }
            return (
                SearchFindings(items: items, isComplete: isWhole && found.count <= limit, hasTexts: false), files
            )
        }
    }

    private static func precedes(
        _ left: (file: ReplicaFile, rank: NameWords.Rank), _ right: (file: ReplicaFile, rank: NameWords.Rank)
    ) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        if left.file.isFolder != right.file.isFolder { return left.file.isFolder }
        if left.file.modifiedAt != right.file.modifiedAt { return left.file.modifiedAt > right.file.modifiedAt }
        return left.file.luid < right.file.luid
    }
}

extension ReplicaView {
    /// Files whose names may have all the terms, and whether they are all there are.
    fileprivate func candidates(for terms: [String], most: Int) throws -> ([ReplicaFile], isWhole: Bool) {
        let touched = Set(overlay.touched)
        let cached = try RemoteFileTable.named(like: terms, most: most, in: ground.db)
        let pending = try touched.compactMap { try file($0) }
        let isWhole = try cached.count < most && ThinnedFolderTable.count(in: ground.db) == 0
        return (cached.filter { !touched.contains($0.luid) } + pending, isWhole)
    }
}
