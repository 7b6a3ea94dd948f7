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

    func item(_ id: ItemID) async throws -> FolderItem { FolderItem(try await replica.present(id)) }

    func above(_ id: ItemID) async throws -> [FolderItem] {
        let luid = try id.luid()
        let above = try await replica.read { view in try view.above(luid) }
        guard let above else { throw ReplicaEngine.unknown }
        return above.reversed().map { FolderItem($0) }
    }

    func window(of folder: ItemID, order: FileOrder, _ range: Range<Int>) async throws -> FolderWindow {
        var window = try await open.open(try folder.luid()).window(range, order: order)
        let kept = try await kept()
        for place in window.items.indices { window.items[place].isKept = kept.contains(window.items[place].id) }
        return window
    }

    /// What the person keeps on this device, by itself.
    private func kept() async throws -> Set<ItemID> { Set(try await replica.pins().map(\.item)) }

    func everything(in folder: ItemID) async throws -> [ItemID] {
        try await open.open(try folder.luid()).everything
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
            let (bell, kept) = (opened.bell(), try await kept())
            await withTaskGroup { group in
                group.addTask { [clock] in
                    while (try? await clock.sleep(seconds: Self.quiet)) != nil { news.tellQuiet() }
                }
                repeat {
                    news.tell { opened.event(after: $0, order: order).marking(kept) }
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

    func tell(_ event: (FolderMark) -> FolderEvent) {
        mark.withLock { mark in
            let event = event(mark)
            mark = event.mark
            if event.kind != .quiet { say(event) }
        }
    }

    func tellQuiet() { mark.withLock { say(FolderEvent(mark: $0, kind: .quiet)) } }

    func tellGone() { mark.withLock { say(FolderEvent(mark: $0, kind: .gone)) } }
}

extension FolderEvent {
    fileprivate func marking(_ kept: Set<ItemID>) -> FolderEvent {
        guard case .changed(var change) = kind else { return self }
        for place in change.placed.indices {
            change.placed[place].item.isKept = kept.contains(change.placed[place].item.id)
        }
        return FolderEvent(mark: mark, kind: .changed(change))
    }
}
