import BothyClient
import BothyContract
import BothyServer

/// ZIPs of an account's files, as they go out.
struct HostedArchives: FileArchiving {
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

    func zip(_ items: [ItemID]) async throws -> FileArchive {
        let seat = try seats.take(caller.userId)
        let (name, plan) = try await failing { try await planned(items) }
        let content = HostedContent(services, caller)
        return plan.archive(named: name) { row, piece in
            if let revision = row.headRevisionId { try await content.send(revision, piece) }
        }
        .seated(seat)
    }

    private func planned(_ items: [ItemID]) async throws -> (name: String, plan: ArchivePlan<FileRow>) {
        let drive = caller.driveId
        let roots = try await services.database.read { db in
            try items.map { id in
                let (row, trashed) = try FileTable(db, drive: drive).require(id.text)
                guard !trashed else { throw Problem(.notFound, "“\(row.name)” is in the trash.") }
                return row
            }
        }
        guard let first = roots.first else { throw Problem(.notFound, "There is nothing to download.") }
        var plan = ArchivePlan<FileRow>()
        for row in roots {
            if row.parentId == nil { plan.addRoot(row) } else { try plan.add(row, in: "") }
        }
        while let folder = plan.nextFolder() {
            var place: FolderListing.Position?
            repeat {
                let listing = FolderListing(
                    parentId: folder.source.id, order: .name, limit: Self.step, after: place)
                let page = try await services.database.read { try listing.page(in: $0, drive: drive) }
                for row in page.rows where !row.hidden { try plan.add(row, in: folder.path) }
                place = page.next
            } while place != nil
        }
        return (roots.count == 1 && first.parentId != nil ? first.name : "Bothy", plan)
    }
}

extension ArchivePlan<FileRow> {
    fileprivate mutating func add(_ row: FileRow, in folder: String) throws {
        try add(
            row.name, isFolder: row.isFolder, size: row.headRevisionId == nil ? 0 : row.size,
            modifiedAt: row.modifiedAt, from: row, in: folder)
    }
}
