import BothyContract

/// Something that was found.
public struct FoundItem: Equatable, Sendable, Identifiable {
    public var item: FolderItem
    /// The folder that it lies in.
    public var folder: ItemID
    /// The names of the folders that it lies in, from the root's children down.
    public var above: [String]
    /// Its content is on this device, and opens without a connection; nil for a folder, and where no device looks.
    public var isAtHand: Bool?
    /// What of it answers to the words.
    public var match: OpenWord<SearchResponse.Match>
    /// Of the text around what was found; empty where the name answers, or the text was not read.
    public var excerpt: [SearchResponse.Stretch]

    public init(
        item: FolderItem, folder: ItemID, above: [String], isAtHand: Bool? = nil,
        match: SearchResponse.Match = .name, excerpt: [SearchResponse.Stretch] = []
    ) {
        self.item = item
        self.folder = folder
        self.above = above
        self.isAtHand = isAtHand
        self.match = OpenWord(match)
        self.excerpt = excerpt
    }

    public var id: ItemID { item.id }
}

/// How far a search goes.
public enum SearchReach: Sendable {
    /// What is known where it is asked, at once.
    case here
    /// What a server further away has besides.
    case everywhere
}

/// What a search came to.
public struct SearchFindings: Equatable, Sendable {
    /// Whether texts were searched, and not names alone.
    public enum Texts: Equatable, Sendable {
        case searched
        /// A search that goes everywhere would.
        case unasked
        /// The server was asked for them, and why it did not answer.
        case unanswered(ClientFailure)
    }

    /// The likeliest first.
    public var items: [FoundItem]
    /// More words would find more.
    public var isComplete: Bool
    public var texts: Texts

    public init(items: [FoundItem], isComplete: Bool, texts: Texts) {
        self.items = items
        self.isComplete = isComplete
        self.texts = texts
    }
}

/// Searching an account's files. Every method throws `ClientFailure`.
public protocol FileSearching: Sendable {
    /// By the beginnings of words in names, and in texts where it has them, as ``NameWords`` has them: every word has to be
    /// there.
    func find(_ text: String, limit: Int, reach: SearchReach) async throws -> SearchFindings
}
