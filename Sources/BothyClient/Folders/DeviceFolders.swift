import BothyContract
import Synchronization

/// The account's folders as this device has them: at once, whether there is a connection or not.
struct DeviceFolders: FolderRepository {
    /// Seconds between signs of life.
    private static let quiet = 25.0

    private let replica: ReplicaEngine
    private let open: OpenFolders
    private let content: DeviceContent
    private let clock: any ClientClock

    init(_ replica: ReplicaEngine, open: OpenFolders, content: DeviceContent, clock: any ClientClock) {
        self.replica = replica
        self.open = open
        self.content = content
        self.clock = clock
    }

    func folder(_ id: ItemID) async throws -> OpenedFolder {
        let file = try await replica.present(id)
        guard file.isFolder else { throw ClientFailure(.notAFolder, "“\(file.name)” is a file.") }
        return OpenedFolder(folder: FolderItem(file), above: try await above(id))
    }

    func item(_ id: ItemID) async throws -> FolderItem {
        try await marks().marked(FolderItem(try await replica.present(id)))
    }

    func above(_ id: ItemID) async throws -> [FolderItem] {
        let luid = try id.luid()
        let above = try await replica.read { view in try view.above(luid) }
        guard let above else { throw ReplicaEngine.unknown }
        return above.reversed().map { FolderItem($0) }
    }

    func window(of folder: ItemID, order: FileOrder, _ range: Range<Int>) async throws -> FolderWindow {
        let luid = try folder.luid()
        // The first caller does not wait until all of it has been read.
        var window =
            if let window = await open.opened(luid)?.window(range, order: order) { window } else {
                try await replica.window(of: luid, order: order, range)
            }
        let marks = try await marks()
        window.items = window.items.map(marks.marked)
        return window
    }

    /// What is known of things besides what they are.
    private func marks() async throws -> FolderMarks {
        let waiting = try await replica.waiting().map { ($0.key.item, $0.value) }
        return FolderMarks(
            kept: Set(try await replica.pins().map(\.item)), waiting: Dictionary(uniqueKeysWithValues: waiting))
    }

    func everything(in folder: ItemID) async throws -> [ItemID] {
        let luid = try folder.luid()
        return try await replica.read { view in
            try view.requireFolder(luid)
            return try view.shown(in: luid).map(\.item)
        }
    }

    func beginning(of file: ItemID, most bytes: Int) async throws -> [UInt8] {
        try await content.beginning(of: file, most: bytes)
    }

    // MARK: - News

    func news(
        of folder: ItemID, order: FileOrder, after mark: FolderMark
    ) -> AsyncThrowingStream<FolderEvent, any Error> {
        let (news, continuation) = AsyncThrowingStream<FolderEvent, any Error>.makeStream()
        let telling = Task {
            do {
                try await tell(try folder.luid(), order, after: mark) { continuation.yield($0) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in telling.cancel() }
        return news
    }

    private func tell(
        _ folder: LUID, _ order: FileOrder, after mark: FolderMark, _ say: @escaping @Sendable (FolderEvent) -> Void
    ) async throws {
        let news = FolderNews(after: mark, say)
        while !Task.isCancelled {
            guard let opened = try await reopened(folder) else { return news.tellGone() }
            var (bell, marks) = (opened.bell(), try await marks())
            await withTaskGroup { group in
                group.addTask { [clock] in
                    while (try? await clock.sleep(seconds: Self.quiet)) != nil { news.tellQuiet() }
                }
                repeat {
                    let event = news.look { opened.event(after: $0, order: order) }
                    // After it: what it was waiting for then may be done by now, and nothing else would tell of that.
                    marks = (try? await self.marks()) ?? marks
                    if opened.isOver { break }
                    news.tell(event.marking(marks))
                } while await Self.rings(bell) && !opened.isOver
                group.cancelAll()
            }
        }
    }

    /// - Returns: nil for a folder that is not there any more.
    private func reopened(_ folder: LUID) async throws -> OpenFolder? {
        do {
            return try await open.open(folder)
        } catch let failure as ClientFailure where failure.code == .notFound {
            return nil
        }
    }

    private static func rings(_ bell: AsyncStream<Void>) async -> Bool {
        for await _ in bell { return true }
        return false
    }
}

/// Tells what happens, one after the other, and how far it has told: a sign of life must not say more than that.
private final class FolderNews: Sendable {
    private let mark: Mutex<FolderMark>
    private let say: @Sendable (FolderEvent) -> Void

    init(after mark: FolderMark, _ say: @escaping @Sendable (FolderEvent) -> Void) {
        self.mark = Mutex(mark)
        self.say = say
    }

    /// What is to be told next.
    func look(_ event: (FolderMark) -> FolderEvent) -> FolderEvent { mark.withLock { event($0) } }

    func tell(_ event: FolderEvent) {
        mark.withLock { mark in
            mark = event.mark
            if event.kind != .quiet { say(event) }
        }
    }

    func tellQuiet() { mark.withLock { say(FolderEvent(mark: $0, kind: .quiet)) } }

    func tellGone() { mark.withLock { say(FolderEvent(mark: $0, kind: .gone)) } }
}

/// What a device knows of things besides what they are.
private struct FolderMarks: Sendable {
    /// What the person keeps on this device, by itself.
    var kept: Set<ItemID>
    /// What has something to send yet, and whether that waits for a person.
    var waiting: [ItemID: Bool]

    func marked(_ item: FolderItem) -> FolderItem {
        var item = item
        item.isKept = kept.contains(item.id)
        item.isWaiting = item.isWaiting || waiting[item.id] != nil
        item.asks = waiting[item.id] ?? false
        return item
    }
}

extension FolderEvent {
    fileprivate func marking(_ marks: FolderMarks) -> FolderEvent {
        guard case .changed(var change) = kind else { return self }
        for place in change.placed.indices { change.placed[place].item = marks.marked(change.placed[place].item) }
        return FolderEvent(mark: mark, kind: .changed(change))
    }
}
