import BothyClient
import BothyContract
import Observation

/// What the dialog shows that asks for a folder.
public struct FolderPickerState: Equatable, Sendable {
    public struct Choice: Equatable, Sendable, Identifiable {
        public var id: ItemID
        public var name: String
        /// It is being moved itself, so it cannot be its own goal.
        public var isClosed: Bool
    }

    public var folder: ItemID
    /// «Move 3 items».
    public var heading = ""
    public var title = ""
    /// The folder above; nil at the root.
    public var above: ItemID?
    public var choices = [Choice]()
    /// There are more folders than are shown.
    public var isCut = false
    public var notice: Notice?
}

/// Choosing a folder to move or copy to.
@MainActor @Observable
public final class FolderPickerStateHolder {
    /// Folders that are shown of one.
    public nonisolated static let most = 500

    public private(set) var state: FolderPickerState

    @ObservationIgnored private let folders: any FolderRepository
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let moving: Set<ItemID>

    /// - Parameters:
    ///   - moving: what cannot be gone into, as far as it is known.
    ///   - heading: what is chosen for: «Move 3 items».
    public init(
        _ folder: ItemID, moving: Set<ItemID>, heading: String, folders: any FolderRepository, words: Words
    ) {
        self.folders = folders
        self.words = words
        self.moving = moving
        state = FolderPickerState(folder: folder, heading: heading)
    }

    public func open() async {
        do {
            let opened = try await folders.folder(state.folder)
            // Folders come first, so the first window has them.
            let window = try await folders.window(of: state.folder, order: .name, 0..<Self.most)
            state.title = opened.above.isEmpty ? words[.files] : ShownName.of(opened.folder.name)
            state.above = opened.above.last?.id
            state.choices = window.items.filter(\.isFolder).map {
                FolderPickerState.Choice(id: $0.id, name: ShownName.of($0.name), isClosed: moving.contains($0.id))
            }
            state.isCut = state.choices.count == Self.most && window.total > Self.most
        } catch {
            state.notice = words.failure(error)
        }
    }
}
