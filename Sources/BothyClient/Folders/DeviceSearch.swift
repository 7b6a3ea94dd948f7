import BothyContract

/// Searching what this device knows: the same with a connection and without one.
struct DeviceSearch: FileSearching {
    /// Names that are looked at closely; a search that would want more says that it is not complete.
    private static let most = 2000

    private let replica: ReplicaEngine

    init(_ replica: ReplicaEngine) { self.replica = replica }

    func find(_ text: String, limit: Int) async throws -> SearchFindings {
        let terms = NameWords.terms(of: text)
        guard !terms.isEmpty else { return SearchFindings(items: [], isComplete: true) }
        return try await replica.read { view in
            let (candidates, isWhole) = try view.candidates(for: terms, most: Self.most)
            var found = [(file: ReplicaFile, rank: NameWords.Rank)]()
            for file in candidates where !file.hidden && file.luid != .root {
                guard NameWords.matches(of: terms, in: file.name) != nil, try !view.isTrashed(file.luid) else {
                    continue
                }
                found.append((file, NameWords.rank(of: file.name, for: terms)))
            }
            found.sort(by: Self.precedes)
            let items = try found.prefix(limit).map { file, _ in
                let above = try view.above(file.luid) ?? []
                return FoundItem(
                    item: FolderItem(file), folder: (file.parent ?? .root).item,
                    above: above.reversed().filter { $0.luid != .root }.map(\.name))
            }
            return SearchFindings(items: items, isComplete: isWhole && found.count <= limit)
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
