import BothyClient
import BothyContract

/// The pictures and films that lie beside one in its folder, by name.
public struct MediaNeighbours: Sendable {
    public struct Medium: Equatable, Sendable {
        public var id: ItemID
        public var name: String
        public var type: AttachmentType
        /// A browser shows it as it is.
        public var isShownWhole: Bool
    }

    /// Things of a folder that are looked at: in one larger than that, who stands further down is alone.
    private static let most = 5_000
    /// Things that are read at once.
    private static let window = 1_000
    /// Media on each side.
    private static let reach = 200

    private let folders: any FolderRepository

    public init(folders: any FolderRepository) { self.folders = folders }

    /// - Returns: the place of the file among the items; no items where it is no picture and no film.
    /// - Throws: `notFound`.
    public func around(_ file: ItemID) async throws -> (place: Int, items: [Medium]) {
        let above = try await folders.above(file)
        let folder = above.last?.id ?? .root
        var (media, place) = ([Medium](), Int?.none)
        var first = 0
        while first < Self.most, media.count <= (place ?? media.count) + Self.reach {
            let window = try await folders.window(of: folder, order: .name, first..<first + Self.window)
            for item in window.items {
                guard let medium = Self.medium(item) else { continue }
                if item.id == file { place = media.count }
                media.append(medium)
            }
            first += Self.window
            if first >= window.total { break }
        }
        guard let place else { return (0, []) }
        let start = max(0, place - Self.reach)
        return (place - start, Array(media[start..<min(media.count, place + Self.reach + 1)]))
    }

    private static func medium(_ item: FolderItem) -> Medium? {
        let type = FileKind.mediaType(of: item)
        guard !item.isFolder, item.size > 0, let kind = AttachmentType(mimeType: type) else { return nil }
        let isShown = PictureTypes.isShown(type) && item.size <= PreviewStateHolder.mostImage
        guard kind == .video || isShown || PictureTypes.isDrawn(type) else { return nil }
        return Medium(id: item.id, name: ShownName.of(item.name), type: kind, isShownWhole: isShown)
    }
}
