import BothyClient
import BothyContent
import BothyContract
import BothyServer
import NIOCore
import Synchronization

/// ZIPs of an account's files, as they go out.
struct HostedArchives: FileArchiving {
    /// Files and folders of one archive: the list of them is in memory while it goes out.
    private static let mostEntries = 100_000
    /// Bytes of their paths, for the same reason.
    private static let mostPathBytes = 32 << 20
    /// Rows of a folder that are read at once.
    private static let step = 500

    private let services: ServerServices
    private let caller: Caller
    private let seats: ArchiveSeats

    init(_ services: ServerServices, _ caller: Caller, seats: ArchiveSeats) {
        self.services = services
        self.caller = caller
        self.seats = seats
    }

    private struct Item: Sendable {
        var entry: ZipWriter.Entry
        /// Nil for a folder, and for a file without content.
        var revision: String?
    }

    func zip(_ items: [ItemID]) async throws -> FileArchive {
        guard let seat = seats.take(caller.userId) else {
            throw ClientFailure(
                .serverBusy, "Two downloads of folders are under way already.",
                remedy: "Wait until one of them has ended.")
        }
        let (name, plan) = try await failing { try await planned(items) }
        let content = HostedContent(services, caller)
        return FileArchive(
            disposition: ContentDisposition.header(name: name + ".zip", mimeType: "application/zip"),
            size: ZipWriter.length(of: plan.map(\.entry))
        ) { piece in
            var writer = ZipWriter()
            for item in plan {
                try await piece(ByteBuffer(bytes: writer.begin(item.entry)))
                if let revision = item.revision, item.entry.size > 0 {
                    try await content.send(revision) { bytes in
                        bytes.withUnsafeReadableBytes { writer.add($0) }
                        try await piece(bytes)
                    }
                }
                try await piece(ByteBuffer(bytes: writer.end()))
            }
            try await piece(ByteBuffer(bytes: writer.finish()))
            withExtendedLifetime(seat) {}
        }
    }

    // MARK: - Planning

    private func planned(_ items: [ItemID]) async throws -> (name: String, plan: [Item]) {
        let drive = caller.driveId
        let roots = try await services.database.read { db in
            try items.map { id in
                let (row, trashed) = try FileTable(db, drive: drive).require(id.text)
                guard !trashed else { throw Problem(.notFound, "“\(row.name)” is in the trash.") }
                return row
            }
        }
        guard let first = roots.first else { throw Problem(.notFound, "There is nothing to pack.") }
        let name = roots.count == 1 && first.parentId != nil ? first.name : "Bothy"
        var plan = Plan()
        for row in roots { try plan.add(row, in: "") }
        while let folder = plan.folders.popLast() {
            var place: FolderListing.Position?
            repeat {
                let listing = FolderListing(parentId: folder.row.id, order: .name, limit: Self.step, after: place)
                let page = try await services.database.read { try listing.page(in: $0, drive: drive) }
                for row in page.rows where !row.hidden { try plan.add(row, in: folder.path) }
                place = page.next
            } while place != nil
        }
        return (name, plan.items)
    }

    /// What an archive will hold, as it is found.
    private struct Plan {
        var items = [Item]()
        /// Those that are still to be looked into.
        var folders = [(row: FileRow, path: String)]()
        private var names = ZipNames()
        private var pathBytes = 0

        mutating func add(_ row: FileRow, in folder: String) throws {
            // The root has no name: what lies in it is packed by itself.
            guard row.parentId != nil else { return folders.append((row, "")) }
            let path = names.path(of: row.name, in: folder, isFolder: row.isFolder)
            pathBytes += path.utf8.count
            guard items.count < HostedArchives.mostEntries, pathBytes <= HostedArchives.mostPathBytes,
                path.utf8.count <= ZipWriter.mostPathBytes
            else {
                throw Problem(
                    .tooManyItems,
                    "This is more than fits into one download: at most \(HostedArchives.mostEntries) files and folders, and paths of at most \(ZipWriter.mostPathBytes) bytes. Download folders of it one by one."
                )
            }
            if row.isFolder { folders.append((row, path)) }
            let size = row.headRevisionId == nil || row.isFolder ? 0 : row.size
            items.append(
                Item(
                    entry: ZipWriter.Entry(path: path, size: size, modifiedAt: row.modifiedAt),
                    revision: row.headRevisionId))
        }
    }
}

/// How many archives go out at once: each holds a reader of the disk for as long as its browser takes.
final class ArchiveSeats: Sendable {
    /// For one account.
    private static let most = 2

    /// One archive under way; it is free again when nothing holds on to it.
    final class Seat: Sendable {
        private let leave: @Sendable () -> Void

        fileprivate init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }

        deinit { leave() }
    }

    private let taken = Mutex<[Int64: Int]>([:])

    /// - Returns: nil while as many are taken as there are.
    func take(_ userId: Int64) -> Seat? {
        let isFree = taken.withLock { taken in
            guard taken[userId, default: 0] < Self.most else { return false }
            taken[userId, default: 0] += 1
            return true
        }
        guard isFree else { return nil }
        return Seat { [self] in
            taken.withLock { taken in
                taken[userId, default: 1] -= 1
                if taken[userId] == 0 { taken[userId] = nil }
            }
        }
    }
}
