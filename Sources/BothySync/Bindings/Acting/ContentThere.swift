import BothyContract

/// Content that the drive has under other names, by its size: what a plan sends may be a copy of it.
struct ContentThere: Sendable {
    private var contents = [Int64: Set<ContentHash>]()

    /// Of each size; where so many files are equally long, their length says nothing.
    private static let most = 8

    init() {}

    /// Looks at what was agreed on, once a plan, for files that are too large to go in company.
    init(for actions: [Action], in synced: SyncedTree) {
        let wanted = Set(
            actions.compactMap { action -> Int64? in
                guard case .upload(_, let mine, _, _) = action.step,
                    mine.stamp.size > UploadLimits.batchContent
                else { return nil }
                return mine.stamp.size
            })
        guard !wanted.isEmpty else { return }
        for node in synced.tree.subtree(of: .root) {
            let facts = synced[node]
            guard let hash = facts.checksum, wanted.contains(facts.size) else { continue }
            contents[facts.size, default: []].insert(hash)
        }
        contents = contents.filter { $0.value.count <= Self.most }
    }

    /// - Parameter old: what the file was; that it is that still would be no change.
    func contents(of size: Int64, besides old: ContentHash?) -> Set<ContentHash> {
        contents[size, default: []].filter { $0 != old }
    }
}
