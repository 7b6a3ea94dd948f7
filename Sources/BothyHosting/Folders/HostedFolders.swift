import BothyClient
import BothyContract
import BothyServer

/// An account's folders, straight from the server's database: nothing is kept between two questions.
struct HostedFolders: FolderRepository {
    private let services: ServerServices
    private let caller: Caller

    init(_ services: ServerServices, _ caller: Caller) {
        self.services = services
        self.caller = caller
    }

    func folder(_ id: ItemID) async throws -> OpenedFolder {
        let drive = caller.driveId
        return try await failing {
            try await services.database.read { db in
                let files = FileTable(db, drive: drive)
                let (row, trashed) = try files.require(id.text)
                guard !trashed else { throw Problem(.notFound, "“\(row.name)” is in the trash.") }
                guard row.isFolder else { throw Problem(.notAFolder, "“\(row.name)” is a file.") }
                return OpenedFolder(folder: FolderItem(row), above: try Self.above(row, files, db, drive))
            }
        }
    }

    func item(_ id: ItemID) async throws -> FolderItem {
        let drive = caller.driveId
        return try await failing {
            try await services.database.read { db in
                let (row, trashed) = try FileTable(db, drive: drive).require(id.text)
                guard !trashed else { throw Problem(.notFound, "“\(row.name)” is in the trash.") }
                return FolderItem(row)
            }
        }
    }

    func above(_ id: ItemID) async throws -> [FolderItem] {
        let drive = caller.driveId
        return try await failing {
            try await services.database.read { db in
                let files = FileTable(db, drive: drive)
                return try Self.above(try files.require(id.text).row, files, db, drive)
            }
        }
    }

    private static func above(
        _ row: FileRow, _ files: FileTable, _ db: any SQLConnection, _ drive: Int64
    ) throws -> [FolderItem] {
        var ancestry = Ancestry(db, drive: drive)
        let way = try row.parentId.map { try ancestry.path(from: $0) } ?? []
        return try way.reversed().map { FolderItem(try files.require($0).row) }
    }

    func window(of folder: ItemID, order: FileOrder, _ range: Range<Int>) async throws -> FolderWindow {
        let drive = caller.driveId
        let bounded = range.prefix(FolderListing.mostInWindow)
        return try await failing {
            try await services.database.read { db in
                let mark = FolderMark(try ChangeLog(db, drive: drive).head().text)
                let listing = FolderListing(parentId: folder.text, order: order, limit: bounded.count)
                let window = try listing.window(bounded.startIndex..<bounded.endIndex, in: db, drive: drive)
                return FolderWindow(
                    first: min(range.lowerBound, window.total), items: window.rows.map(FolderItem.init),
                    total: window.total, mark: mark)
            }
        }
    }

    func everything(in folder: ItemID) async throws -> [ItemID] {
        let drive = caller.driveId
        return try await failing {
            try await services.database.read { db in
                try FolderListing(parentId: folder.text, order: .name, limit: 1).ids(in: db, drive: drive)
                    .map { ItemID($0) }
            }
        }
    }

    func news(
        of folder: ItemID, order: FileOrder, after mark: FolderMark
    ) -> AsyncThrowingStream<FolderEvent, any Error> {
        let reader = FolderNewsReader(services, caller, folder, order, mark)
        return AsyncThrowingStream { try await reader.next() }
    }

    func beginning(of file: ItemID, most bytes: Int) async throws -> [UInt8] {
        try await HostedContent(services, caller).beginning(of: file, most: bytes)
    }
}

extension FolderItem {
    init(_ row: FileRow) {
        self.init(
            id: ItemID(row.parentId == nil ? File.rootId : row.id), name: row.name, mimeType: row.mimeType,
            size: row.size, modifiedAt: row.modifiedAt, starred: row.starred)
    }
}
