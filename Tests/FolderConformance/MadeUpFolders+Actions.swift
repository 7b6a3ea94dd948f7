import BothyClient
import BothyContract

/// What is done to folders in memory, refused where the server would.
extension MadeUpFolders: FileActions {
    package func makeFolder(named name: String, in folder: ItemID) async throws -> FolderItem {
        try requireFree(name, in: folder)
        return try await item(put(name, isFolder: true, in: folder))
    }

    package func rename(_ id: ItemID, to name: String) async throws -> FolderItem {
        try requireFree(name, in: try parent(of: id))
        change(id) { $0.name = name }
        return try await item(id)
    }

    package func move(_ id: ItemID, to folder: ItemID) async throws -> FolderItem {
        try requireFree(try await item(id).name, in: folder)
        place(id, in: folder)
        return try await item(id)
    }

    package func copy(_ id: ItemID, to folder: ItemID) async throws -> FolderItem {
        let source = try await item(id)
        return try await item(put(source.name, isFolder: source.isFolder, in: folder))
    }

    package func setStarred(_ starred: Bool, _ id: ItemID) async throws -> FolderItem {
        _ = try parent(of: id)
        change(id) { $0.starred = starred }
        return try await item(id)
    }

    package func trash(_ id: ItemID, seen: FolderMark?) async throws {
        _ = try parent(of: id)
        if let seen { try requireUnchanged(id, since: seen) }
        throwAway(id)
    }

    package func untrash(_ id: ItemID) async throws -> FolderItem {
        takeOut(id)
        return try await item(id)
    }

    private func requireFree(_ name: String, in folder: ItemID) throws {
        guard try !names(in: folder).contains(name) else {
            throw ClientFailure(.nameConflict, "There is already something called “\(name)” in this folder.")
        }
    }
}

/// The trash of folders in memory.
extension MadeUpFolders: TrashRepository {
    package func page(after place: String?, limit: Int) async throws -> TrashPage {
        let items = try thrownAway()
        let start = place.flatMap { Int($0) } ?? 0
        let end = min(items.count, start + limit)
        return TrashPage(
            items: items[start..<end].map {
                TrashItem(
                    item: $0, above: [], trashedAt: $0.modifiedAt, leavesAt: $0.modifiedAt.adding(seconds: 2_592_000))
            },
            total: items.count, next: end < items.count ? String(end) : nil)
    }

    package func bringBack(_ id: ItemID) async throws {
        guard try thrownAway().contains(where: { $0.id == id }) || isLive(id) else {
            throw ClientFailure(.notFound, "There is nothing here.")
        }
        if !isLive(id) { _ = try await untrash(id) }
    }

    package func deleteForGood(_ id: ItemID) async throws {
        guard try thrownAway().contains(where: { $0.id == id }) else {
            throw ClientFailure(isLive(id) ? .changedMeanwhile : .notFound, "This is not in the trash any more.")
        }
        forget(id)
    }

    package func empty(until moment: Timestamp) async throws -> Int {
        let items = try thrownAway()
        for item in items { forget(item.id) }
        return items.count
    }
}

/// What has a star, of folders in memory.
struct MadeUpStars: StarredRepository {
    let folders: MadeUpFolders

    func page(after place: String?, limit: Int) async throws -> StarredPage {
        let items = try folders.starred()
        let start = place.flatMap { Int($0) } ?? 0
        let end = min(items.count, start + limit)
        return StarredPage(items: Array(items[start..<end]), next: end < items.count ? String(end) : nil)
    }
}
