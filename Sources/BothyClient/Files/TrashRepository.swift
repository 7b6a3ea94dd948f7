import BothyContract

/// Something in the trash.
public struct TrashItem: Equatable, Sendable, Identifiable {
    public var item: FolderItem
    /// The names of the folders that it lay in, from the root's children down.
    public var above: [String]
    /// When it was put there.
    public var trashedAt: Timestamp
    /// When it goes by itself, at the earliest: time that the server does not run does not count.
    public var leavesAt: Timestamp

    public init(item: FolderItem, above: [String], trashedAt: Timestamp, leavesAt: Timestamp) {
        self.item = item
        self.above = above
        self.trashedAt = trashedAt
        self.leavesAt = leavesAt
    }

    public var id: ItemID { item.id }
}

/// A page of the trash, what was put there last first.
public struct TrashPage: Equatable, Sendable {
    public var items: [TrashItem]
    /// How many there are in all.
    public var total: Int
    /// Where the next page begins; nil on the last. Opaque.
    public var next: String?

    public init(items: [TrashItem], total: Int, next: String?) {
        self.items = items
        self.total = total
        self.next = next
    }
}

/// The trash as screens look at it, and the ways out of it.
///
/// Every method throws `ClientFailure`.
public protocol TrashRepository: Sendable {
    func page(after place: String?, limit: Int) async throws -> TrashPage

    /// Back to where it was, with the folders above it.
    ///
    /// - Throws: `notFound` for what was deleted for good meanwhile.
    func bringBack(_ id: ItemID) async throws

    /// For good, with every version. It cannot be undone.
    ///
    /// - Throws: `changedMeanwhile` for what is not in the trash any more.
    func deleteForGood(_ id: ItemID) async throws

    /// Deletes for good what was put there until then; what came later was not seen by the person who asks for it.
    ///
    /// - Returns: how many there were.
    func empty(until moment: Timestamp) async throws -> Int
}
