import BothyClient
import BothyContract
import Synchronization

/// Folders in memory, told of as the real ones are: for tests of screens, held to the same rules.
package final class MadeUpFolders: FolderRepository, FolderWorld {
    private struct Entry {
        var item: FolderItem
        var parent: ItemID?
        var text: [UInt8]
    }

    private struct State {
        var entries: [ItemID: Entry] = [:]
        var trashed: [ItemID: Entry] = [:]
        /// Who changed, in order.
        var log = [ItemID]()
        /// What somebody else put there, and how long the log was then.
        var others = [(place: Int, id: ItemID)]()
        var failure: ClientFailure?
        /// What the content of files is not here for.
        var withheld: [ItemID: ClientFailure] = [:]
        var waiting = [CheckedContinuation<Void, Never>]()
    }

    private let state = Mutex(State())

    package init() {
        let root = FolderItem(
            id: .root, name: "", mimeType: File.folderMimeType, size: 0, modifiedAt: Timestamp(seconds: 0))
        state.withLock { $0.entries[.root] = Entry(item: root, parent: nil, text: []) }
    }

    package var folders: any FolderRepository { self }
    package var actions: any FileActions { self }
    package var trashCan: any TrashRepository { self }
    package var stars: any StarredRepository { MadeUpStars(folders: self) }

    /// Everything fails with this from now on; with nil it works again.
    package func fail(with failure: ClientFailure?) { state.withLock { $0.failure = failure } }

    /// The file is known, and its content is elsewhere.
    package func withhold(_ file: ItemID, _ failure: ClientFailure) { state.withLock { $0.withheld[file] = failure } }

    // MARK: - Acting

    package func add(_ name: String, isFolder: Bool, bytes: Int, to folder: ItemID) async throws -> ItemID {
        put(name, isFolder: isFolder, text: Array(repeating: 0x61, count: bytes), in: folder)
    }

    @discardableResult
    package func put(
        _ name: String, isFolder: Bool = false, mimeType: String = File.defaultMimeType, text: [UInt8] = [],
        in folder: ItemID = .root
    ) -> ItemID {
        change { state in
            let id = ItemID("f\(state.log.count)")
            let item = FolderItem(
                id: id, name: name, mimeType: isFolder ? File.folderMimeType : mimeType,
                size: isFolder ? 0 : Int64(text.count), modifiedAt: Timestamp(seconds: Int64(state.log.count)))
            state.entries[id] = Entry(item: item, parent: folder, text: text)
            return (id, id)
        }
    }

    /// Somebody else puts a file there.
    @discardableResult
    package func putElsewhere(_ name: String, in folder: ItemID) -> ItemID {
        let id = put(name, in: folder)
        state.withLock { state in
            let place = state.log.count
            state.others.append((place: place, id: id))
        }
        return id
    }

    func requireUnchanged(_ id: ItemID, since mark: FolderMark) throws {
        let seen = Int(mark.text) ?? 0
        try look { state in
            for other in state.others where other.place > seen {
                guard let entry = state.entries[other.id] else { continue }
                guard Self.above(entry, state).contains(where: { $0.id == id }) else { continue }
                throw ClientFailure(.changedMeanwhile, "Something in it has changed since it was shown.")
            }
        }
    }

    func change(_ id: ItemID, _ body: (inout FolderItem) -> Void) {
        change { state in
            if var entry = state.entries[id] {
                body(&entry.item)
                state.entries[id] = entry
            }
            return ((), id)
        }
    }

    func place(_ id: ItemID, in folder: ItemID) {
        change { state in
            state.entries[id]?.parent = folder
            return ((), id)
        }
    }

    func throwAway(_ id: ItemID) {
        change { state in
            state.trashed[id] = state.entries.removeValue(forKey: id)
            return ((), id)
        }
    }

    func takeOut(_ id: ItemID) {
        change { state in
            state.entries[id] = state.trashed.removeValue(forKey: id)
            return ((), id)
        }
    }

    /// What lies in the trash, the last first.
    func thrownAway() throws -> [FolderItem] {
        try look { state in
            let order = Dictionary(state.log.enumerated().map { ($1, $0) }, uniquingKeysWith: max)
            return state.trashed.values.map(\.item).sorted { order[$0.id] ?? 0 > order[$1.id] ?? 0 }
        }
    }

    /// What has a star, folders first, then by name.
    func starred() throws -> [FoundItem] {
        try look { state in
            state.entries.values.filter { $0.item.starred && Self.live($0.item.id, state) != nil }
                .map { entry in
                    var above = [String]()
                    var next = entry.parent
                    while let id = next, id != .root, let folder = state.entries[id] {
                        above.insert(folder.item.name, at: 0)
                        next = folder.parent
                    }
                    return FoundItem(item: entry.item, folder: entry.parent ?? .root, above: above)
                }
                .sorted { left, right in
                    if left.item.isFolder != right.item.isFolder { return left.item.isFolder }
                    return NameOrder.key(left.item.name).lexicographicallyPrecedes(NameOrder.key(right.item.name))
                }
        }
    }

    func isLive(_ id: ItemID) -> Bool { state.withLock { Self.live(id, $0) != nil } }

    func forget(_ id: ItemID) {
        change { state in
            state.trashed[id] = nil
            return ((), id)
        }
    }

    func parent(of id: ItemID) throws -> ItemID {
        try look { state in
            guard let parent = Self.live(id, state)?.parent else {
                throw ClientFailure(.notFound, "There is nothing here.")
            }
            return parent
        }
    }

    func names(in folder: ItemID) throws -> Set<String> {
        try look { state in Set(state.entries.values.filter { $0.parent == folder }.map(\.item.name)) }
    }

    func child(named name: String, of folder: ItemID) throws -> ItemID? {
        try look { state in
            state.entries.values.first { $0.parent == folder && $0.item.name == name }?.item.id
        }
    }

    private func change<Value>(_ body: (inout State) -> (Value, ItemID)) -> Value {
        let (value, waiting) = state.withLock { state in
            let (value, id) = body(&state)
            state.log.append(id)
            defer { state.waiting = [] }
            return (value, state.waiting)
        }
        for one in waiting { one.resume() }
        return value
    }

    // MARK: - Looking

    package func folder(_ id: ItemID) async throws -> OpenedFolder {
        try look { state in
            guard let entry = Self.live(id, state) else { throw ClientFailure(.notFound, "There is nothing here.") }
            guard entry.item.isFolder else { throw ClientFailure(.notAFolder, "This is a file.") }
            return OpenedFolder(folder: entry.item, above: Self.above(entry, state))
        }
    }

    package func above(_ id: ItemID) async throws -> [FolderItem] {
        try look { state in
            guard let entry = Self.live(id, state) else { throw ClientFailure(.notFound, "There is nothing here.") }
            return Self.above(entry, state)
        }
    }

    private static func above(_ entry: Entry, _ state: State) -> [FolderItem] {
        var above = [FolderItem]()
        var next = entry.parent
        while let id = next, let folder = state.entries[id] {
            above.insert(folder.item, at: 0)
            next = folder.parent
        }
        return above
    }

    package func item(_ id: ItemID) async throws -> FolderItem {
        try look { state in
            guard let entry = Self.live(id, state) else { throw ClientFailure(.notFound, "There is nothing here.") }
            return entry.item
        }
    }

    package func window(of folder: ItemID, order: FileOrder, _ range: Range<Int>) async throws -> FolderWindow {
        try look { state in
            guard Self.live(folder, state) != nil else { throw ClientFailure(.notFound, "There is nothing here.") }
            let items = Self.items(of: folder, order, state)
            let first = min(range.lowerBound, items.count)
            return FolderWindow(
                first: first, items: Array(items[first..<min(range.upperBound, items.count)]), total: items.count,
                mark: FolderMark(String(state.log.count)))
        }
    }

    package func everything(in folder: ItemID) async throws -> [ItemID] {
        try look { state in Self.items(of: folder, .name, state).map(\.id) }
    }

    package func news(
        of folder: ItemID, order: FileOrder, after mark: FolderMark
    ) -> AsyncThrowingStream<FolderEvent, any Error> {
        let seen = Mutex(Int(mark.text) ?? 0)
        return AsyncThrowingStream {
            while true {
                let start = seen.withLock { $0 }
                if let news = self.state.withLock({ Self.news(of: folder, order, after: start, $0) }) {
                    seen.withLock { $0 = Int(news.mark.text) ?? 0 }
                    return news
                }
                await self.wait(after: start)
            }
        }
    }

    package func beginning(of file: ItemID, most bytes: Int) async throws -> [UInt8] {
        try look { state in
            if let failure = state.withheld[file] { throw failure }
            return Array((state.entries[file]?.text ?? []).prefix(bytes))
        }
    }

    private func wait(after seen: Int) async {
        await withCheckedContinuation { continuation in
            let isNews = state.withLock { state in
                if state.log.count == seen { state.waiting.append(continuation) }
                return state.log.count != seen
            }
            if isNews { continuation.resume() }
        }
    }

    private func look<Value>(_ body: (State) throws -> Value) throws -> Value {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            return try body(state)
        }
    }

    private static func live(_ id: ItemID, _ state: State) -> Entry? {
        var next: ItemID? = id
        while let id = next {
            guard let entry = state.entries[id] else { return nil }
            next = entry.parent
        }
        return state.entries[id]
    }

    private static func news(of folder: ItemID, _ order: FileOrder, after seen: Int, _ state: State) -> FolderEvent? {
        guard state.log.count > seen else { return nil }
        let mark = FolderMark(String(state.log.count))
        guard live(folder, state) != nil else { return FolderEvent(mark: mark, kind: .gone) }
        let changed = Set(state.log[seen...])
        let items = items(of: folder, order, state)
        // From the last to the first: what follows each is in its place then.
        let placed = items.indices.reversed().filter { changed.contains(items[$0].id) }.map { index in
            FolderChange.Placed(item: items[index], before: index + 1 < items.count ? items[index + 1].id : nil)
        }
        let here = Set(placed.map(\.item.id))
        let change = FolderChange(
            removed: changed.filter { !here.contains($0) }, placed: placed, total: items.count)
        return FolderEvent(mark: mark, kind: .changed(change))
    }

    private static func items(of folder: ItemID, _ order: FileOrder, _ state: State) -> [FolderItem] {
        state.entries.values.filter { $0.parent == folder }.map(\.item).sorted { precedes($0, $1, order) }
    }

    private static func precedes(_ left: FolderItem, _ right: FolderItem, _ order: FileOrder) -> Bool {
        if left.isFolder != right.isFolder { return left.isFolder }
        func byName(_ left: FolderItem, _ right: FolderItem) -> Bool {
            left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
        return switch order {
        case .name: NameOrder.precedes(left.name, right.name)
        case .nameDescending: NameOrder.precedes(right.name, left.name)
        case .modifiedAt: left.modifiedAt == right.modifiedAt ? byName(left, right) : left.modifiedAt < right.modifiedAt
        case .modifiedAtDescending:
            left.modifiedAt == right.modifiedAt ? byName(right, left) : left.modifiedAt > right.modifiedAt
        case .size: left.size == right.size ? byName(left, right) : left.size < right.size
        case .sizeDescending: left.size == right.size ? byName(right, left) : left.size > right.size
        }
    }
}
