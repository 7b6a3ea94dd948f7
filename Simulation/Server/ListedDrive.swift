import BothyClient
import BothyContract
import BothySync

/// A drive's files in memory, told by its change log from the beginning.
package actor ListedDrive: RemoteCache {
    private let drive: any DriveProvider
    private var files = [String: File]()
    private var cursor: String?
    private var link: Int64 = 1

    package init(_ drive: any DriveProvider) { self.drive = drive }

    package func pull() async throws -> RemoteState {
        do {
            return try await readOn()
        } catch let failure as ClientFailure where failure.problem?.code == .cursorExpired {
            files = [:]
            cursor = nil
            link += 1
            return try await readOn()
        }
    }

    private func readOn() async throws -> RemoteState {
        while true {
            let page = try await drive.changes(after: cursor)
            take(page)
            if !page.hasMore { return RemoteState(cursor: page.cursor, link: link) }
        }
    }

    package func takeOwnChanges() async throws -> Bool {
        guard let known = cursor, let page = await drive.ownChanges(after: known), cursor == known else { return false }
        take(page)
        return true
    }

    private func take(_ page: GetChangesResponse) {
        for change in page.changes where change.kind == .file {
            files[change.id] = change.removed ? nil : change.file
        }
        cursor = page.cursor
    }

    package func file(_ id: String) async throws -> File? { files[id] }

    package func trashed() async throws -> [File] {
        files.values.filter { $0.id != File.rootId && standing($0.id) == .inTrash }
    }

    /// A drive alone knows of none.
    package func conflictPolicies() async throws -> [String: ConflictResolution] { [:] }

    package func files(below folderId: String) async throws -> [File]? {
        guard folderId == File.rootId || isLive(folderId) else { return nil }
        return files.values.filter { $0.id == folderId || isLive($0.id) && lies($0, below: folderId) }
    }

    private func isLive(_ id: String) -> Bool { standing(id) == .live }

    private enum Standing { case live, inTrash, gone }

    /// What lay in something that is gone for good is gone with it.
    private func standing(_ id: String) -> Standing {
        var file = files[id]
        var isTrashed = false
        // A chain longer than any tree is a circle.
        for _ in 0...FileLimits.maximumDepth {
            guard let current = file else { return .gone }
            isTrashed = isTrashed || current.trashedAt != nil
            guard let parent = current.parentId, parent != File.rootId else { return isTrashed ? .inTrash : .live }
            file = files[parent]
        }
        return .gone
    }

    private func lies(_ file: File, below folderId: String) -> Bool {
        var parent = file.parentId
        for _ in 0...FileLimits.maximumDepth {
            guard let current = parent else { return false }
            if current == folderId { return true }
            parent = files[current]?.parentId
        }
        return false
    }
}
