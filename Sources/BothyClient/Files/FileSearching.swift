import BothyContract

/// Something that was found.
public struct FoundItem: Equatable, Sendable, Identifiable {
    public var item: FolderItem
    /// The folder that it lies in.
    public var folder: ItemID
    /// The names of the folders that it lies in, from the root's children down.
    public var above: [String]

    public init(item: FolderItem, folder: ItemID, above: [String]) {
        self.item = item
        self.folder = folder
        self.above = above
    }

    public var id: ItemID { item.id }
}

/// What a search came to.
public struct SearchFindings: Equatable, Sendable {
    /// The likeliest first.
    public var items: [FoundItem]
    /// More words would find more.
    public var isComplete: Bool

    public init(items: [FoundItem], isComplete: Bool) {
        self.items = items
        self.isComplete = isComplete
    }
}

/// Searching an account's files. Every method throws `ClientFailure`.
public protocol FileSearching: Sendable {
    /// By the beginnings of words in names, as ``NameWords`` has them: every word has to be there.
    func find(_ text: String, limit: Int) async throws -> SearchFindings
}
