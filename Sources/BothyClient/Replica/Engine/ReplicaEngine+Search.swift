import BothyContract

/// Searching what this device knows: names alone, the same with a connection and without one.
extension ReplicaEngine {
    /// Names that are looked at closely; a search that would want more says that it is not complete.
    private static let mostNames = 2000

    /// - Parameter terms: as ``NameWords`` has them, at least one.
    /// - Returns: what is called so, the likeliest first, at most `limit`, and whether that is all.
    package func named(_ terms: [String], limit: Int) async throws -> (items: [FoundItem], isComplete: Bool) {
        let (files, isComplete) = try await read { view in
            let (candidates, isWhole) = try view.candidates(for: terms, most: Self.mostNames)
            var found = [(file: ReplicaFile, rank: NameWords.Rank)]()
            for file in candidates where !file.hidden && file.luid != .root {
                guard NameWords.matches(of: terms, in: file.name) != nil, try !view.isTrashed(file.luid) else {
                    continue
                }
                found.append((file, NameWords.rank(of: file.name, for: terms)))
            }
            found.sort(by: Self.precedes)
            let shown = try found.prefix(limit).map { (file: $0.file, item: try view.found($0.file)) }
            return (shown, isWhole && found.count <= limit)
        }
        return (try files.map { try marked($0.item, as: $0.file) }, isComplete)
    }

    /// What the server has found, as this device has it: with its own ids, names and places, and without what was put into
    /// the trash here, or is called otherwise here, since.
    ///
    /// - Parameter cursor: how far the replica was when the server was asked.
    /// - Returns: them, and whether all that the server told of is known here.
    package func found(
        _ results: [SearchResponse.Result], for terms: [String], asOf cursor: String?
    ) async throws -> (items: [FoundItem], isWhole: Bool) {
        let isWhole = try await know(results.map(\.file), asOf: cursor)
        let found = try await read { view in
            var found = [(file: ReplicaFile, item: FoundItem)]()
            for result in results {
                guard let luid = try LuidTable.find(serverId: result.file.id, in: view.ground.db),
                    let file = try view.file(luid), !file.hidden, try view.above(luid) != nil,
                    try !view.isTrashed(luid),
                    result.match != .name || NameWords.matches(of: terms, in: file.name) != nil
                else { continue }
                var item = try view.found(file)
                item.match = result.match
                item.excerpt = result.excerpt ?? []
                found.append((file, item))
            }
            return found
        }
        return (try found.map { try marked($0.item, as: $0.file) }, isWhole)
    }

    /// Makes sure that what the server tells of is known here, where it has come just now, or was let go with its folder's
    /// files.
    ///
    /// - Returns: whether it is.
    private func know(_ files: [File], asOf cursor: String?) async throws -> Bool {
        let store = try store()
        if try await store.areKnown(files) { return true }
        // Before the end of a link, following the log brings it, and all the rest.
        guard try await isLinked() else { return false }
        if let effect = try await store.know(files, asOf: cursor) { try await parts.rebase(effect, in: store) }
        if try await store.areKnown(files) { return true }
        try await pull()
        return try await store.areKnown(files)
    }

    /// What has a star, from a place in the list on, with where it lies.
    ///
    /// - Returns: at most `limit`, and how many there are in all.
    package func starred(from start: Int, limit: Int) async throws -> (items: [FoundItem], total: Int) {
        let (files, total) = try await read { view in
            let all = try view.starred()
            let shown = try all.dropFirst(start).prefix(limit).map { (file: $0, item: try view.found($0)) }
            return (shown, all.count)
        }
        return (try files.map { try marked($0.item, as: $0.file) }, total)
    }

    private func marked(_ item: FoundItem, as file: ReplicaFile) throws -> FoundItem {
        var item = item
        if !file.isFolder { item.isAtHand = try isAtHand(file) }
        return item
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
