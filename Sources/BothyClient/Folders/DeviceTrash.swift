import BothyContract

/// The account's trash as this device has it.
struct DeviceTrash: TrashRepository {
    /// Seconds after which the server deletes what is in the trash.
    private static let stay: Int64 = 30 * 86_400

    private let replica: ReplicaEngine
    private let files: FilesRepository

    init(_ replica: ReplicaEngine, files: FilesRepository) {
        self.replica = replica
        self.files = files
    }

    func page(after place: String?, limit: Int) async throws -> TrashPage {
        let start = max(0, place.flatMap { Int($0) } ?? 0)
        return try await replica.read { view in
            let all = try view.trashed()
            let items = try all.dropFirst(start).prefix(limit).map { file in
                let trashedAt = file.trashedAt ?? file.updatedAt
                return TrashItem(
                    item: FolderItem(file), above: try view.names(above: file.luid),
                    trashedAt: trashedAt, leavesAt: trashedAt.adding(seconds: Self.stay))
            }
            let end = start + items.count
            return TrashPage(items: items, total: all.count, next: end < all.count ? String(end) : nil)
        }
    }

    func bringBack(_ id: ItemID) async throws { try await replica.record(.restore, on: try id.luid()) }

    func deleteForGood(_ id: ItemID) async throws {
        let (file, _) = try await replica.look(try id.luid())
        try await delete(file)
        try await catchUp([file])
    }

    func empty(until moment: Timestamp) async throws -> Int {
        let doomed = try await replica.read { view in
            try view.trashed().filter { ($0.trashedAt ?? $0.updatedAt) <= moment }
        }
        for file in doomed { try await delete(file) }
        try await catchUp(doomed)
        return doomed.count
    }

    /// What the server has done shows.
    private func catchUp(_ files: [ReplicaFile]) async throws {
        if files.contains(where: { $0.serverId != nil }) { try await replica.pull() }
    }

    private func delete(_ file: ReplicaFile) async throws {
        guard file.trashedAt != nil else {
            throw ClientFailure(
                .changedMeanwhile, "“\(file.name)” is no longer in the trash, so it was not deleted.")
        }
        guard let id = file.serverId else {
            // Nobody else has ever heard of it: what made it is given up, and its bytes wait in this device's own trash.
            let made = try await replica.operations().first { $0.creates && $0.subject == file.luid }
            if let made { try await replica.discard(made.id) }
            return
        }
        // At the version that is known here: what somebody brought back meanwhile was not what the person meant.
        let cursor = try await replica.state().cursor
        try await files.deletePermanently(id, at: cursor.map { SeenVersion(version: file.version, cursor: $0) })
    }
}
