import BothyClient
import BothyContract

/// One row or tile of a list of files.
public struct FileListRow: Equatable, Sendable, Identifiable {
    public var id: ItemID
    /// Safe to show, and to be shown in its own direction.
    public var name: String
    public var kind: FileKind
    /// «1.2 MB»; empty for a folder.
    public var size: String
    /// Bytes.
    public var bytes: Int64
    /// «20 Nov».
    public var modified: String
    public var modifiedAt: Timestamp
    public var starred: Bool
    /// It shows what the server does not know yet.
    public var isWaiting: Bool
    /// It does not go on before a person has looked at it.
    public var asks: Bool
    /// It is kept on this device.
    public var isKept: Bool
    /// There may be a small picture of it.
    public var hasPicture: Bool

    public var isFolder: Bool { kind == .folder }

    public init(_ item: FolderItem, words: Words, clock: PersonsClock) {
        id = item.id
        name = ShownName.of(item.name)
        kind = FileKind(item)
        size = item.isFolder ? "" : words.size(item.size)
        bytes = item.size
        modified = words.date(item.modifiedAt, at: clock)
        modifiedAt = item.modifiedAt
        starred = item.starred
        isWaiting = item.isWaiting
        asks = item.asks
        isKept = item.isKept
        let type = FileKind.mediaType(of: item)
        hasPicture =
            item.size > 0 && (PictureTypes.isItsOwnPicture(type, size: item.size) || PictureTypes.isDrawn(type))
    }
}
