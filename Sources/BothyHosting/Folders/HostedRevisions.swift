import BothyClient
import BothyContract
import BothyServer

/// The histories of an account's files, straight from the server's database.
struct HostedRevisions: FileRevisions {
    private let services: ServerServices
    private let caller: Caller

    init(_ services: ServerServices, _ caller: Caller) {
        self.services = services
        self.caller = caller
    }

    func page(of file: ItemID, after place: String?, limit: Int) async throws -> RevisionsPage {
        try await reading(file) { db, row, drive in
            var rows = try RevisionTable(db, drive: drive)
                .page(of: row.id, before: place.flatMap { Int64($0) }, limit: limit + 1)
            let hasMore = rows.count > limit
            if hasMore { rows.removeLast() }
            let next = hasMore ? rows.last.map { String($0.version) } : nil
            return RevisionsPage(items: try items(rows, of: row, db), next: next)
        }
    }

    func revision(_ id: String, of file: ItemID) async throws -> RevisionItem {
        try await reading(file) { db, row, drive in
            try items([try RevisionTable(db, drive: drive).require(id, of: row.id)], of: row, db)[0]
        }
    }

    func beginning(of revision: String, of file: ItemID, most bytes: Int) async throws -> [UInt8] {
        let known = try await self.revision(revision, of: file)
        return try await HostedContent(services, caller).beginning(ofRevision: known.id, most: bytes)
    }

    func restore(_ revision: String, of file: ItemID) async throws {
        try await failing {
            _ = try await services.mutations.perform(.none(for: "web restore"), for: caller) { db, stamp in
                let done = try RevisionRestoring(fileId: file.text, revisionId: revision).perform(in: db, stamp: stamp)
                return Mutation(answer: done.revision.id, cursor: done.cursor)
            }
        }
    }

    func content(of revision: String, of file: ItemID) async throws -> ContentPlace {
        let known = try await self.revision(revision, of: file)
        return .address(services.links.path(of: known.id, for: caller))
    }

    private func reading<Value: Sendable>(
        _ file: ItemID,
        _ body: @escaping @Sendable (any SQLConnection, FileRow, _ drive: Int64) throws -> Value
    ) async throws -> Value {
        let drive = caller.driveId
        return try await failing {
            try await services.database.read { db in
                let files = FileTable(db, drive: drive)
                let (row, trashed) = try files.require(file.text)
                guard !trashed else { throw Problem(.notFound, "“\(row.name)” is in the trash.") }
                return try body(db, try files.requireFile(file.text), drive)
            }
        }
    }

    private func items(_ rows: [RevisionRow], of file: FileRow, _ db: any SQLConnection) throws -> [RevisionItem] {
        var names = [String: String?]()
        return try rows.map { row in
            let device = try row.deviceId.flatMap { id -> String? in
                if let known = names[id] { return known }
                let name = try DeviceTable(db).row(caller.userId, id)?.name
                names.updateValue(name, forKey: id)
                return name
            }
            return RevisionItem(
                id: row.id, mimeType: row.mimeType, size: row.size, createdAt: row.createdAt, device: device,
                isCurrent: row.id == file.headRevisionId)
        }
    }
}
