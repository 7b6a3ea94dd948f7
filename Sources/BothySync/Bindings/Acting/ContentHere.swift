import BothyContract

/// Where the content that a plan brings lies in the bound folder already, under other names.
struct ContentHere: Sendable {
    private var files = [ContentHash: [String]]()

    /// Of each content; more would be as good as these.
    private static let most = 4

    init() {}

    /// Looks at what was agreed on, once a plan. That costs about as much a file as fetching a byte does, so for less than that it is not done.
    init(for actions: [Action], in synced: SyncedTree) {
        let wanted = Self.wanted(by: actions)
        guard wanted.values.reduce(0, +) >= Int64(synced.tree.count) else { return }
        for node in synced.tree.subtree(of: .root) {
            let facts = synced[node]
            guard let hash = facts.checksum, facts.local != nil, wanted[hash] != nil,
                files[hash, default: []].count < Self.most
            else { continue }
            files[hash, default: []].append(facts.remoteId)
        }
    }

    /// Bytes, by content.
    private static func wanted(by actions: [Action]) -> [ContentHash: Int64] {
        var wanted = [ContentHash: Int64]()
        for action in actions {
            guard case .download(_, let theirs, _) = action.step, let hash = theirs.checksum else { continue }
            wanted[hash] = theirs.size
        }
        return wanted
    }

    /// The ids of files that had this content when the plan began.
    func files(with content: ContentHash) -> [String] { files[content] ?? [] }
}
