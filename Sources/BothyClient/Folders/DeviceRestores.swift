import BothyContract

/// Going back to a moment from a device: the server knows how things were, and does it; this device hears of it at once.
struct DeviceRestores: MomentRestoring {
    private let replica: ReplicaEngine
    private let remote: RestoresRepository

    init(_ replica: ReplicaEngine, remote: RestoresRepository) {
        self.replica = replica
        self.remote = remote
    }

    func plan(to moment: Timestamp, of item: ItemID) async throws -> DriveRestore {
        try await remote.plan(to: .time(moment), fileId: try await serverId(of: item))
    }

    func carryOut(_ plan: DriveRestore.ID, of item: ItemID) async throws -> DriveRestore {
        _ = try await restore(plan, of: item)
        // The same id again, of a second click, is the same deed.
        return try await done(remote.submit(RestoreRequest(requestId: "web-do-\(plan)", planId: plan)))
    }

    func undo(_ restore: DriveRestore.ID, of item: ItemID) async throws -> DriveRestore {
        let earlier = try await self.restore(restore, of: item)
        guard let before = earlier.before, earlier.state == .finished else { throw ClientFailure.nothingToUndo }
        return try await done(
            remote.submit(
                RestoreRequest(requestId: "web-undo-\(restore)", cursor: before, fileId: earlier.fileId)))
    }

    func restore(_ id: DriveRestore.ID, of item: ItemID) async throws -> DriveRestore {
        let restore = try await remote.restore(id)
        guard restore.fileId == (try await serverId(of: item)) else {
            throw ClientFailure(.notFound, "There is no such restore.")
        }
        return restore
    }

    func changes(of id: DriveRestore.ID, limit: Int) async throws -> [RestoreChange] {
        try await remote.firstChanges(of: id, limit: limit)
    }

    /// - Throws: `refused` for what the server does not have yet.
    private func serverId(of item: ItemID) async throws -> String {
        let (file, _) = try await replica.look(try item.luid())
        guard let id = file.serverId else {
            throw ClientFailure(
                .refused, "“\(file.name)” has not been sent yet: there is nothing to go back to.")
        }
        return id
    }

    /// What has happened is seen here, as far as it has.
    private func done(_ restore: DriveRestore) async throws -> DriveRestore {
        // It is done at the server: where the way is lost now, it is fetched later.
        _ = try? await replica.pull()
        return restore
    }
}
