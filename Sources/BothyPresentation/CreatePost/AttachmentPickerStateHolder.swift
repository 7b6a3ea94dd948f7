import BothyClient
import BothyContract
import Observation

/// What a person chooses pictures and films from, among the files that are there.
public struct AttachmentPickerState: Equatable, Sendable {
    public struct Folder: Equatable, Sendable, Identifiable {
        public var id: ItemID
        public var name: String
    }

    public struct Medium: Equatable, Sendable, Identifiable {
        public var id: ItemID
        public var name: String
        public var kind: FileKind
        public var hasPicture: Bool
    }

    public var folder: ItemID
    public var title = ""
    /// The folder above; nil at the root.
    public var above: ItemID?
    public var folders = [Folder]()
    public var media = [Medium]()
    /// There is more than is shown.
    public var isCut = false
    public var notice: Notice?
}

/// Choosing what a post shows among one's files: no byte moves.
@MainActor @Observable
public final class AttachmentPickerStateHolder {
    /// Things of a folder that are looked at.
    private nonisolated static let most = 500

    public private(set) var state: AttachmentPickerState

    @ObservationIgnored private let folders: any FolderRepository
    @ObservationIgnored private let words: Words

    public init(_ folder: ItemID, folders: any FolderRepository, words: Words) {
        self.folders = folders
        self.words = words
        state = AttachmentPickerState(folder: folder)
    }

    public func open() async {
        do {
            let opened = try await folders.folder(state.folder)
            let window = try await folders.window(of: state.folder, order: .modifiedAtDescending, 0..<Self.most)
            state.title = opened.above.isEmpty ? words[.files] : ShownName.of(opened.folder.name)
            state.above = opened.above.last?.id
            state.folders = window.items.filter(\.isFolder).map {
                AttachmentPickerState.Folder(id: $0.id, name: ShownName.of($0.name))
            }
            state.media = window.items.compactMap(medium)
            state.isCut = window.total > Self.most
        } catch {
            state.notice = words.failure(error)
        }
    }

    private func medium(_ item: FolderItem) -> AttachmentPickerState.Medium? {
        let type = FileKind.mediaType(of: item)
        guard !item.isFolder, AttachmentType(mimeType: type) != nil else { return nil }
        return AttachmentPickerState.Medium(
            id: item.id, name: ShownName.of(item.name), kind: FileKind(item),
            hasPicture: PictureTypes.isItsOwnPicture(type, size: item.size) || PictureTypes.isDrawn(type))
    }
}
