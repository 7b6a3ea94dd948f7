import BothyClient
import BothyContract

/// Everything that a list of files shows.
public struct FileListState: Equatable, Sendable {
    public enum Standing: Equatable, Sendable {
        /// Nothing was read yet.
        case fresh
        case shown
        /// Deleted, or in the trash, while it was open.
        case gone
        /// It could not be read.
        case failed(Notice, isMissing: Bool)
    }

    /// How what was done is taken back.
    public enum Undo: Equatable, Sendable {
        /// Out of the trash again.
        case untrash([ItemID])
        /// Out of the folder where they are now.
        case move([ItemID], from: ItemID)
    }

    public var folder: ItemID
    /// The folder's name; the root's is the catalogue's.
    public var title: String
    /// From the root to the folder above this one.
    public var crumbs = [Crumb]()
    public var order: FileOrder
    /// Neighbours, in order: those of the list that are here.
    public var rows = [FileListRow]()
    /// The place of the first row in the whole list, from 0.
    public var first = 0
    /// Rows of the whole list.
    public var total = 0
    public var selection = Set<ItemID>()
    public var notice: Notice?
    /// What can be taken back of what was done last.
    public var undo: Undo?
    public var standing = Standing.fresh

    public var isRoot: Bool { folder == .root }
    public var isEmpty: Bool { standing == .shown && total == 0 }
    /// Rows that are here, by their places.
    public var range: Range<Int> { first..<first + rows.count }
}

/// A folder on the way to where a person is.
public struct Crumb: Equatable, Sendable, Identifiable {
    public var id: ItemID
    public var name: String

    /// - Parameter above: the folders, the root first, which has the catalogue's name.
    static func way(_ above: [FolderItem], _ words: Words) -> [Crumb] {
        above.enumerated().map { place, item in
            Crumb(id: item.id, name: place == 0 ? words[.files] : ShownName.of(item.name))
        }
    }
}

/// What changed in a list: a face that shows it moves these, and nothing else.
public struct FileListDelta: Equatable, Sendable {
    public struct Placed: Equatable, Sendable {
        public var row: FileListRow
        /// The row that follows it; nil for the last of the list.
        public var before: ItemID?
    }

    public enum Kind: Equatable, Sendable {
        case rows(removed: [ItemID], placed: [Placed])
        /// Everything is to be shown anew.
        case everything
        /// The folder is gone.
        case gone
        /// Nothing; it is still being listened.
        case quiet
    }

    public var kind: Kind
    public var total: Int
    /// Where to go on listening.
    public var mark: FolderMark
}
