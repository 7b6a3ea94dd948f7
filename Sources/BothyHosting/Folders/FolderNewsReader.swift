import BothyClient
import BothyContract
import BothyServer

/// Waits for changes of a drive, and reads what they come to in one folder: a few index probes for each thing that
/// changed, however large the folder is.
actor FolderNewsReader {
    /// Changes that are told one by one; more are cheaper read as a window.
    private static let mostChanges = 200
    /// Seconds between signs of life.
    private static let quiet = 25.0

    private let services: ServerServices
    private let caller: Caller
    private let folder: ItemID
    private let order: FileOrder
    private var mark: FolderMark
    private var ticket: Notifier.Ticket?
    private var isOver = false

    init(_ services: ServerServices, _ caller: Caller, _ folder: ItemID, _ order: FileOrder, _ mark: FolderMark) {
        self.services = services
        self.caller = caller
        self.folder = folder
        self.order = order
        self.mark = mark
    }

    deinit {
        guard let ticket else { return }
        Task { [notifier = services.notifier] in await notifier.leave(ticket) }
    }

    /// - Returns: nil once the server stops, the browser is signed out or has signed in anew, or the listener has
    ///   gone.
    func next() async throws -> FolderEvent? {
        guard !isOver else { return nil }
        let ticket = try await joined()
        while true {
            guard try await isHeld() else {
                isOver = true
                return nil
            }
            let news = try await read()
            mark = news.mark
            if news.kind == .gone { isOver = true }
            if news.kind != .quiet { return news }
            switch await services.notifier.next(ticket, within: Self.quiet) {
            // It listens for no more than changes.
            case .changed, .told: continue
            case .quiet: return news
            case .ended:
                isOver = true
                return nil
            }
        }
    }

    /// Whether the browser's sign-in still is its own: one that has signed in anew listens by that.
    private func isHeld() async throws -> Bool {
        try await failing { [services, caller] in try await services.sessions.holds(caller) }
    }

    private func joined() async throws -> Notifier.Ticket {
        if let ticket { return ticket }
        let joined = await services.notifier.join(driveId: caller.driveId, deviceId: caller.deviceId)
        guard let joined else { throw ClientFailure(.serverBusy, "Too many pages are open.") }
        ticket = joined
        return joined
    }

    private func read() async throws -> FolderEvent {
        let reading = FolderNewsReading(drive: caller.driveId, folder: folder, order: order, most: Self.mostChanges)
        return try await failing { [services, mark] in
            try await services.database.read { try reading.read(after: mark, in: $0) }
        }
    }
}

/// What changes come to in one folder, read in one transaction.
private struct FolderNewsReading: Sendable {
    var drive: Int64
    var folder: ItemID
    var order: FileOrder
    var most: Int

    func read(after mark: FolderMark, in db: any SQLConnection) throws -> FolderEvent {
        let files = FileTable(db, drive: drive)
        let head = FolderMark(try ChangeLog(db, drive: drive).head().text)
        if head == mark { return FolderEvent(mark: mark, kind: .quiet) }
        guard try stands(files) else { return FolderEvent(mark: head, kind: .gone) }
        guard let page = try page(after: mark, in: db), !page.hasMore else {
            return FolderEvent(mark: head, kind: .everything)
        }
        let changes = page.changes.filter { $0.kind == .file }
        var ancestry = Ancestry(db, drive: drive)
        let way = Set(try ancestry.path(from: folder.text))
        if changes.contains(where: { way.contains($0.id) }) { return FolderEvent(mark: head, kind: .everything) }
        let change = try change(changes, files, db)
        return FolderEvent(mark: FolderMark(page.cursor), kind: change.map { .changed($0) } ?? .quiet)
    }

    private func stands(_ files: FileTable) throws -> Bool {
        do {
            return try !files.require(folder.text).trashed
        } catch let problem as Problem where problem.code == .notFound {
            return false
        }
    }

    /// - Returns: nil for a mark that is not of this log, or too old: then nobody knows what changed.
    private func page(after mark: FolderMark, in db: any SQLConnection) throws -> ChangePage? {
        do {
            return try ChangePage.read(after: mark.text, limit: most, in: db, drive: drive)
        } catch let problem as Problem where problem.code == .cursorExpired {
            return nil
        }
    }

    /// - Returns: nil where nothing that changed can show here.
    private func change(
        _ changes: [Change], _ files: FileTable, _ db: any SQLConnection
    ) throws -> FolderChange? {
        guard !changes.isEmpty else { return nil }
        let listing = FolderListing(parentId: folder.text, order: order, limit: 1)
        var removed = [ItemID]()
        var rows = [(row: FileRow, before: String?)]()
        for change in changes {
            guard let file = change.file, file.parentId == folder.text, !file.trashed, !file.hidden,
                let row = try files.find(change.id)
            else {
                removed.append(ItemID(change.id))
                continue
            }
            rows.append((row, try listing.follower(of: row, in: db, drive: drive)?.id))
        }
        let total = try listing.total(in: db, drive: drive)
        return FolderChange(removed: removed, placed: Self.inPlacingOrder(rows), total: total)
    }

    /// What comes after another of them goes first.
    private static func inPlacingOrder(_ rows: [(row: FileRow, before: String?)]) -> [FolderChange.Placed] {
        var waiting = Dictionary(uniqueKeysWithValues: rows.map { ($0.row.id, $0) })
        var placed = [FolderChange.Placed]()
        for (row, _) in rows {
            var chain = [(row: FileRow, before: String?)]()
            var next: String? = row.id
            while let id = next, let entry = waiting.removeValue(forKey: id) {
                chain.append(entry)
                next = entry.before
            }
            placed += chain.reversed().map {
                FolderChange.Placed(item: FolderItem($0.row), before: $0.before.map { ItemID($0) })
            }
        }
        return placed
    }
}
