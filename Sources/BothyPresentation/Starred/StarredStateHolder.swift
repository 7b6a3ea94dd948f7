import BothyClient
import BothyContract
import Observation

/// What the list of starred files shows.
public struct StarredState: Equatable, Sendable {
    public struct Row: Equatable, Sendable, Identifiable {
        public var id: ItemID
        public var name: String
        public var kind: FileKind
        /// «1.2 MB»; empty for a folder.
        public var size: String
        public var modified: String
        /// Where it lies: «Files / Letters».
        public var place: String
        /// «On this device», «On the server»; nil where that makes no difference.
        public var whereabouts: String?

        public var isFolder: Bool { kind == .folder }
    }

    public enum Standing: Equatable, Sendable {
        case fresh, shown
        case failed(Notice)
    }

    public var rows = [Row]()
    /// Where the next page begins.
    public var next: String?
    public var notice: Notice?
    public var standing = Standing.fresh

    /// It is the first page.
    public var isFirst = true

    public var isEmpty: Bool { standing == .shown && rows.isEmpty && next == nil && isFirst }
}

/// What has a star, wherever it lies.
@MainActor @Observable
public final class StarredStateHolder {
    /// Rows of a page.
    public nonisolated static let pageSize = 200

    public private(set) var state = StarredState()

    @ObservationIgnored private let starred: any StarredRepository
    @ObservationIgnored private let actions: any FileActions
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let clock: PersonsClock

    public init(
        _ starred: any StarredRepository, actions: any FileActions, words: Words, clock: PersonsClock
    ) {
        self.starred = starred
        self.actions = actions
        self.words = words
        self.clock = clock
    }

    /// Shows the page that begins there; the first for nil.
    public func open(after place: String? = nil) async {
        do {
            let page = try await starred.page(after: place, limit: Self.pageSize)
            state.rows = page.items.map(row)
            state.next = page.next
            state.isFirst = place == nil
            state.standing = .shown
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }

    /// The file stays where it lies, and leaves the list.
    public func takeStarAway(from id: ItemID) async {
        do {
            let item = try await actions.setStarred(false, id)
            state.rows.removeAll { $0.id == id }
            state.notice = Notice(words.filled(.starTaken, ShownName.of(item.name)))
        } catch {
            state.notice = words.failure(error)
        }
    }

    private func row(_ found: FoundItem) -> StarredState.Row {
        StarredState.Row(
            id: found.id, name: ShownName.of(found.item.name), kind: FileKind(found.item),
            size: found.item.isFolder ? "" : words.size(found.item.size),
            modified: words.date(found.item.modifiedAt, at: clock), place: words.place(found.above),
            whereabouts: found.isAtHand.map { words[$0 ? .foundHere : .foundThere] })
    }
}
