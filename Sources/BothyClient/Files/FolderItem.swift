import BothyContract

/// What a screen names a file or folder by: on a device its LUID, in the server's own web app its id there. What a
/// person has selected is named by these, so it outlives renames, moves and the end of an upload.
public struct ItemID: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    public init(_ text: String) { self.text = text }

    /// The root folder's, everywhere.
    public static let root = ItemID(File.rootId)

    public var description: String { text }
}

/// A file or folder as a screen is told of it, wherever that comes from.
public struct FolderItem: Equatable, Sendable, Identifiable {
    public var id: ItemID
    /// As it is kept: a screen makes it safe to show.
    public var name: String
    public var mimeType: String
    /// Bytes; 0 for a folder.
    public var size: Int64
    /// The content's own time.
    public var modifiedAt: Timestamp
    public var starred: Bool
    /// It shows what the server does not know yet.
    public var isWaiting: Bool
    /// What waits does not go on before a person has looked at it.
    public var asks: Bool
    /// It was chosen to be kept on this device, where the list is a device's.
    public var isKept: Bool

    public init(
        id: ItemID, name: String, mimeType: String, size: Int64, modifiedAt: Timestamp, starred: Bool = false,
        isWaiting: Bool = false, asks: Bool = false, isKept: Bool = false
    ) {
        self.id = id
        self.name = name
        self.mimeType = mimeType
        self.size = size
        self.modifiedAt = modifiedAt
        self.starred = starred
        self.isWaiting = isWaiting
        self.asks = asks
        self.isKept = isKept
    }

    public var isFolder: Bool { mimeType == File.folderMimeType }
}

/// A folder, and the way to it.
public struct OpenedFolder: Equatable, Sendable {
    public var folder: FolderItem
    /// The folders above it, the root first; empty for the root.
    public var above: [FolderItem]

    public init(folder: FolderItem, above: [FolderItem]) {
        self.folder = folder
        self.above = above
    }
}

/// A place in what happens to a drive: what is told after it has not been seen yet. Opaque.
public struct FolderMark: Hashable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }
}

/// Neighbours in a folder's order, as they were at one moment.
public struct FolderWindow: Equatable, Sendable {
    /// The place of the first item among all, from 0.
    public var first: Int
    public var items: [FolderItem]
    /// How many there are in the folder.
    public var total: Int
    /// The moment.
    public var mark: FolderMark

    public init(first: Int, items: [FolderItem], total: Int, mark: FolderMark) {
        self.first = first
        self.items = items
        self.total = total
        self.mark = mark
    }
}

/// What happened to an open folder.
public struct FolderEvent: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case changed(FolderChange)
        /// So much that it is cheaper to read it again, or nobody knows what.
        case everything
        /// The folder is in the trash, or deleted.
        case gone
        /// Nothing for a while; the connection to the source still stands.
        case quiet
    }

    public var mark: FolderMark
    public var kind: Kind

    public init(mark: FolderMark, kind: Kind) {
        self.mark = mark
        self.kind = kind
    }
}

/// What moved in a folder. A change costs what it touches: nothing here is a whole list.
public struct FolderChange: Equatable, Sendable {
    /// An item that is new, looks otherwise, or has another place.
    public struct Placed: Equatable, Sendable {
        public var item: FolderItem
        /// What comes right after it; nil for the last.
        public var before: ItemID?

        public init(item: FolderItem, before: ItemID?) {
            self.item = item
            self.before = before
        }
    }

    /// Not in this folder now; some never were.
    public var removed: [ItemID]
    /// In such an order that what comes after each is in its place already.
    public var placed: [Placed]
    public var total: Int

    public init(removed: [ItemID], placed: [Placed], total: Int) {
        self.removed = removed
        self.placed = placed
        self.total = total
    }
}
