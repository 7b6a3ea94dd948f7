import BothyClient
import BothyContract

/// The device's replica as what is known of the drive.
package struct ReplicaCache: RemoteCache {
    private let replica: ReplicaEngine

    package init(_ replica: ReplicaEngine) { self.replica = replica }

    package func pull() async throws -> RemoteState {
        try await replica.pull()
        guard let state = try await lastKnown() else {
            throw ClientFailure(.serverBusy, "The server's file list is not complete yet.")
        }
        return state
    }

    package func takeOwnChanges() async throws -> Bool { try await replica.takeOwnChanges() }

    /// As of when it is known, without asking; nil where not everything was told yet.
    func lastKnown() async throws -> RemoteState? {
        let state = try await replica.state()
        guard let cursor = state.cursor, state.isLinked else { return nil }
        return RemoteState(cursor: cursor, link: state.link)
    }

    package func files(below folderId: String) async throws -> [File]? {
        guard let tree = try await replica.remoteTree(below: folderId) else { return nil }
        // Every folder comes before what is in it.
        var ids = [tree.folder.luid: folderId]
        return tree.below.compactMap { file in
            guard let id = file.serverId else { return nil }
            ids[file.luid] = id
            return file.file(parentId: file.parent.flatMap { ids[$0] })
        }
    }

    package func trashed() async throws -> [File] { try await replica.trashedTrees() }

    package func conflictPolicies() async throws -> [String: ConflictResolution] {
        var policies = [String: ConflictResolution]()
        for (luid, policy) in try await replica.conflictPolicies() where luid != .root {
            if let id = try await replica.serverId(of: luid) { policies[id] = policy }
        }
        return policies
    }

    package func file(_ id: String) async throws -> File? {
        guard let luid = try await replica.luid(ofServerId: id), let file = try await replica.file(luid) else {
            return nil
        }
        var parentId: String?
        if let parent = file.parent { parentId = try await replica.serverId(of: parent) }
        return file.file(parentId: parentId, trashed: file.trashedAt != nil)
    }
}
