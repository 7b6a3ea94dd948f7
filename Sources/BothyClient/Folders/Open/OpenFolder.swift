import BothyContract
import Foundation
import Synchronization

/// A folder that somebody looks at, in this process: all that is in it, in the orders that were asked for, and what
/// happened to it lately.
final class OpenFolder: Sendable {
    /// Steps that are remembered: a page that has seen less reads its window again.
    private static let mostSteps = 200
    /// Items that are told one by one.
    private static let mostItems = 200
    /// Items that are moved one by one in what is sorted; more are cheaper sorted anew, when somebody looks.
    private static let mostMoves = 100

    private struct State {
        var items = [ItemID: FolderItem]()
        var sorted = [FileOrder: SortedFolder]()
        /// The moment of which the first step is.
        var beginning: FolderMark?
        /// How many steps there were.
        var count = 0
        /// What the last of them touched.
        var steps = [Set<ItemID>]()
        /// The folder itself, or one above it, is otherwise: the viewer has to open it anew.
        var isOver = false
        var listeners = [Int: AsyncStream<Void>.Continuation]()
        var listened = 0
    }

    let folder: LUID
    /// Tells marks of this opening from those of another.
    private let epoch = UInt32.random(in: 0...UInt32.max)
    private let state = Mutex(State())

    init(_ folder: LUID) { self.folder = folder }

    /// All of it was read at this moment: a viewer of that moment's window has missed nothing.
    func begin(at moment: FolderMark) { state.withLock { $0.beginning = moment } }

    var isOver: Bool { state.withLock { $0.isOver } }
    var isWatched: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// Nobody tells it anything any more: the listener opens the folder anew.
    func end() {
        let listeners = state.withLock { state in
            state.isOver = true
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }

    // MARK: - Being told

    func take(_ delta: FolderDelta) {
        let listeners = state.withLock { state in
            if delta.isWhole {
                state.items = Dictionary(
                    uniqueKeysWithValues: delta.changed.filter { !$0.hidden }.map { ($0.luid.item, FolderItem($0)) })
                state.sorted = [:]
            } else {
                Self.move(delta, &state)
            }
            if delta.isWayChanged { state.isOver = true }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }

    private static func move(_ delta: FolderDelta, _ state: inout State) {
        if delta.changed.count + delta.removed.count > mostMoves { state.sorted = [:] }
        var touched = Set<ItemID>()
        for id in delta.removed.map(\.item) {
            replace(id, by: nil, &state)
            touched.insert(id)
        }
        for file in delta.changed {
            let item = FolderItem(file)
            replace(item.id, by: file.hidden ? nil : item, &state)
            touched.insert(item.id)
        }
        state.count += 1
        if state.steps.count == mostSteps { state.steps.removeFirst() }
        state.steps.append(touched)
    }

    private static func replace(_ id: ItemID, by new: FolderItem?, _ state: inout State) {
        let old = state.items[id]
        state.items[id] = new
        // A list of its own: iterating over the dictionary itself holds it, and all that is sorted would be copied.
        for order in Array(state.sorted.keys) { state.sorted[order]?.replace(old, by: new) }
    }

    // MARK: - Looking

    /// - Returns: nil where it would have to be sorted first by what the database has in order: nobody waits for that.
    func window(_ range: Range<Int>, order: FileOrder) -> FolderWindow? {
        state.withLock { state in
            guard !order.isKept || state.sorted[order] != nil else { return nil }
            let sorted = Self.sorted(order, &state)
            return FolderWindow(
                first: min(range.lowerBound, sorted.count), items: sorted.items(range), total: sorted.count,
                mark: mark(state.count))
        }
    }

    /// What has happened since a mark.
    func event(after mark: FolderMark, order: FileOrder) -> FolderEvent {
        state.withLock { state in
            let now = self.mark(state.count)
            guard let seen = mark == state.beginning ? 0 : step(of: mark), seen <= state.count else {
                return FolderEvent(mark: now, kind: .everything)
            }
            let missed = state.count - seen
            guard missed > 0 else { return FolderEvent(mark: now, kind: .quiet) }
            guard missed <= state.steps.count else { return FolderEvent(mark: now, kind: .everything) }
            let touched = state.steps.suffix(missed).reduce(into: Set()) { $0.formUnion($1) }
            guard touched.count <= Self.mostItems else { return FolderEvent(mark: now, kind: .everything) }
            let sorted = Self.sorted(order, &state)
            let change = FolderChange(
                removed: touched.filter { state.items[$0] == nil }.sorted { $0.text < $1.text },
                placed: sorted.placed(touched.compactMap { state.items[$0] }), total: sorted.count)
            return FolderEvent(mark: now, kind: .changed(change))
        }
    }

    /// A value whenever something happened; one at once where it is over.
    func bell() -> AsyncStream<Void> {
        let (bell, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.listened += 1
            state.listeners[state.listened] = continuation
            if state.isOver { continuation.yield() }
            return state.listened
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[number] = nil } }
        return bell
    }

    private static func sorted(_ order: FileOrder, _ state: inout State) -> SortedFolder {
        if let known = state.sorted[order] { return known }
        let made = SortedFolder(state.items.values, order: order)
        state.sorted[order] = made
        return made
    }

    private func mark(_ step: Int) -> FolderMark { FolderMark("\(epoch)-\(step)") }

    private func step(of mark: FolderMark) -> Int? {
        let parts = mark.text.split(separator: "-")
        guard parts.count == 2, parts[0] == String(epoch) else { return nil }
        return Int(parts[1])
    }
}
