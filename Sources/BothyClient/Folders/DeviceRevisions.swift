import BothyContract

/// A file's history, which the server keeps: without a connection nothing of it is told.
struct DeviceRevisions: FileRevisions {
    private let replica: ReplicaEngine
    private let remote: RevisionsRepository
    private let names: DeviceNames
    private let content: DeviceContent

    init(
        _ replica: ReplicaEngine, remote: RevisionsRepository, names: DeviceNames, content: DeviceContent
    ) {
        self.replica = replica
        self.remote = remote
        self.names = names
        self.content = content
    }

    func page(of file: ItemID, after place: String?, limit: Int) async throws -> RevisionsPage {
        let known = try await self.file(file)
        guard let id = known.serverId else { return RevisionsPage(items: [], next: nil) }
        let page = try await remote.page(of: id, page: place, limit: limit)
        var items = [RevisionItem]()
        for revision in page.revisions { items.append(await item(revision, head: known.headRevisionId)) }
        return RevisionsPage(items: items, next: page.pagination.next)
    }

    func revision(_ id: String, of file: ItemID) async throws -> RevisionItem {
        let known = try await self.file(file)
        let revision = try await remote.revision(id, of: try Self.serverId(of: known))
        return await item(revision, head: known.headRevisionId)
    }

    func beginning(of revision: String, of file: ItemID, most bytes: Int) async throws -> [UInt8] {
        try await DeviceContent.beginning(of: served(revision, of: file), most: bytes)
    }

    func restore(_ revision: String, of file: ItemID) async throws {
        _ = try await remote.restore(revision, of: try Self.serverId(of: try await self.file(file)))
        try await replica.pull()
    }

    func content(of revision: String, of file: ItemID) async throws -> ContentPlace {
        .here(try await served(revision, of: file))
    }

    private func served(_ revision: String, of file: ItemID) async throws -> ServedContent {
        try await content.served(revision, of: try await self.file(file))
    }

    private func file(_ id: ItemID) async throws -> ReplicaFile {
        let file = try await replica.present(id)
        guard !file.isFolder else { throw ClientFailure(.notAFile, "This is a folder, and only files have versions.") }
        return file
    }

    private static func serverId(of file: ReplicaFile) throws(ClientFailure) -> String {
        guard let id = file.serverId else { throw ReplicaEngine.unknown }
        return id
    }

    private func item(_ revision: FileRevision, head: String?) async -> RevisionItem {
        RevisionItem(
            id: revision.revisionId, mimeType: revision.mimeType, size: revision.size, createdAt: revision.createdAt,
            device: await names.name(of: revision.deviceId), isCurrent: revision.revisionId == head)
    }
}
