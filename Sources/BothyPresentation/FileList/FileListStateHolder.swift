import BothyClient
import BothyContract
import Observation

/// A list of one folder's files, and what is done in it.
///
/// It holds a window of the list and moves it by deltas: a folder of 100,000 costs what is shown of it, and a change
/// what it touches.
@MainActor @Observable
public final class FileListStateHolder {
    /// Rows that are read at once.
    public nonisolated static let windowSize = 200
    /// Rows that are held; those farthest from what was asked for last go.
    public nonisolated static let mostRows = 1000

    public internal(set) var state: FileListState

    @ObservationIgnored let folders: any FolderRepository
    @ObservationIgnored let actions: any FileActions
    @ObservationIgnored let words: Words
    @ObservationIgnored private let clock: PersonsClock
    /// How far what is shown goes: where to go on listening.
    @ObservationIgnored public private(set) var mark: FolderMark?
    /// The last that was chosen by itself: where a range of a selection begins.
    @ObservationIgnored private var anchor: ItemID?
    /// What was chosen when that range began.
    @ObservationIgnored private var base = Set<ItemID>()

    public init(
        _ folder: ItemID, order: FileOrder = .name, folders: any FolderRepository, actions: any FileActions,
        words: Words, clock: PersonsClock
    ) {
        self.folders = folders
        self.actions = actions
        self.words = words
        self.clock = clock
        state = FileListState(folder: folder, title: words[.files], order: order)
    }

    // MARK: - Reading

    /// Reads the folder's name, the way to it, and its first window.
    public func open(at first: Int = 0) async {
        do {
            let opened = try await folders.folder(state.folder)
            take(opened)
            let window = try await folders.window(
                of: state.folder, order: state.order, first..<first + Self.windowSize)
            replace(with: window)
            state.standing = .shown
        } catch {
            fail(error)
        }
    }

    /// Makes sure that these places are held, as far as there are that many.
    public func show(_ range: Range<Int>) async {
        do {
            let wanted = range.clamped(to: 0..<max(range.upperBound, 1)).prefix(Self.mostRows)
            let missing = wanted.startIndex..<wanted.endIndex
            if state.range.lowerBound <= missing.lowerBound, missing.upperBound <= state.range.upperBound { return }
            let window = try await folders.window(of: state.folder, order: state.order, missing)
            add(window)
            state.standing = .shown
        } catch {
            fail(error)
        }
    }

    /// Shows the folder in another order, from its beginning.
    public func sort(by order: FileOrder) async {
        guard order != state.order else { return }
        state.order = order
        await open()
    }

    /// Takes in what happens to the folder until the listener goes, and passes it on.
    ///
    /// - Parameter mark: what was seen by one who looked before; else what this holder has shown.
    public func follow(after mark: FolderMark? = nil, tell: (FileListDelta) async throws -> Void) async throws {
        guard let start = mark ?? self.mark else { preconditionFailure("a folder is opened before it is followed") }
        for try await news in folders.news(of: state.folder, order: state.order, after: start) {
            try await tell(await take(news))
        }
    }

    // MARK: - Selecting

    /// Chooses one, and nothing else.
    public func select(_ id: ItemID) {
        state.selection = [id]
        begin(at: id)
    }

    public func toggle(_ id: ItemID) {
        if state.selection.remove(id) == nil { state.selection.insert(id) }
        begin(at: id)
    }

    /// Chooses everything from the last that was chosen by itself to this one, and of the range before nothing more.
    public func extendSelection(to id: ItemID) {
        if anchor == nil { begin(at: id) }
        guard let from = anchor.flatMap(index(of:)), let to = index(of: id) else { return toggle(id) }
        state.selection = base.union(state.rows[min(from, to)...max(from, to)].map(\.id))
    }

    private func begin(at id: ItemID) {
        anchor = id
        base = state.selection
    }

    /// Chooses everything in the folder: the rows that are here at once, then those that are not.
    public func selectAll() async {
        state.selection = Set(state.rows.map(\.id))
        guard state.rows.count < state.total else { return }
        do {
            state.selection = Set(try await folders.everything(in: state.folder))
        } catch {
            state.notice = words.failure(error)
        }
    }

    public func clearSelection() {
        state.selection = []
        (anchor, base) = (nil, [])
    }

    public func dismissNotice() { state.notice = nil }

    // MARK: - Taking in

    private func take(_ opened: OpenedFolder) {
        let isRoot = opened.above.isEmpty
        state.title = isRoot ? words[.files] : ShownName.of(opened.folder.name)
        state.crumbs = Crumb.way(opened.above, words)
    }

    private func replace(with window: FolderWindow) {
        mark = window.mark
        state.rows = window.items.map(row(of:))
        state.first = window.first
        state.total = window.total
        state.notice = nil
    }

    /// Joins a window to what is held where they touch, and lets go of what lies farthest from it.
    private func add(_ window: FolderWindow) {
        let touches =
            window.first <= state.range.upperBound
            && state.first <= window.first + window.items.count && !state.rows.isEmpty
        guard touches else { return replace(with: window) }
        let ids = Set(window.items.map(\.id))
        let above = state.first < window.first ? state.rows.prefix(window.first - state.first) : []
        let end = window.first + window.items.count
        let below = state.range.upperBound > end ? state.rows.suffix(state.range.upperBound - end) : []
        let kept = (above.filter { !ids.contains($0.id) }, below.filter { !ids.contains($0.id) })
        let room = Self.mostRows - window.items.count
        let before = Array(kept.0.suffix(max(0, room - min(kept.1.count, room / 2))))
        let after = Array(kept.1.prefix(max(0, room - before.count)))
        state.rows = before + window.items.map(row(of:)) + after
        state.first = window.first - before.count
        state.total = window.total
    }

    private func take(_ news: FolderEvent) async -> FileListDelta {
        mark = news.mark
        let kind: FileListDelta.Kind
        switch news.kind {
        case .quiet: kind = .quiet
        case .gone:
            state.standing = .gone
            state.rows = []
            kind = .gone
        case .everything:
            // A face that shows nothing of its own has nothing to read again.
            if !state.rows.isEmpty { await open(at: state.first) }
            kind = .everything
        case .changed(let change): kind = take(change)
        }
        return FileListDelta(kind: kind, total: state.total, mark: news.mark)
    }

    private func take(_ change: FolderChange) -> FileListDelta.Kind {
        let placed = change.placed.map { FileListDelta.Placed(row: row(of: $0.item), before: $0.before) }
        let reachedEnd = state.range.upperBound >= state.total
        for id in change.removed + placed.map(\.row.id) { remove(id) }
        for one in placed { place(one, reachedEnd: reachedEnd) }
        state.selection.subtract(change.removed)
        state.total = change.total
        return .rows(removed: change.removed, placed: placed)
    }

    private func remove(_ id: ItemID) {
        guard let index = index(of: id) else { return }
        state.rows.remove(at: index)
    }

    private func place(_ placed: FileListDelta.Placed, reachedEnd: Bool) {
        if let before = placed.before {
            guard let index = index(of: before) else { return }
            state.rows.insert(placed.row, at: index)
        } else if reachedEnd {
            state.rows.append(placed.row)
        }
    }

    private func index(of id: ItemID) -> Int? { state.rows.firstIndex { $0.id == id } }

    func row(of item: FolderItem) -> FileListRow { FileListRow(item, words: words, clock: clock) }

    private func fail(_ error: any Error) {
        let notice = words.failure(error)
        let code = (error as? ClientFailure)?.code
        if state.standing == .shown {
            state.notice = notice
        } else {
            state.standing = .failed(notice, isMissing: code == .notFound || code == .notAFolder)
        }
    }
}
