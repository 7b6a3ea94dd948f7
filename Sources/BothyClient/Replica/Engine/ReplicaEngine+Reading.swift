import BothyContract

/// What there is, from this device alone: nothing here asks the server.
extension ReplicaEngine {
    /// How far what is known here goes.
    package func state() async throws -> ReplicaState { try await store().state() }

    /// Everything that the server had when it was asked last is known here.
    public func isLinked() async throws -> Bool { try await store().state().isLinked }

    /// When the log's end was reached last; nil before it ever was.
    public func pulledAt() async throws -> Timestamp? { try await store().state().pulledAt }

    /// - Returns: nil for what is not known here.
    public func file(_ luid: LUID) async throws -> ReplicaFile? {
        try await read { view in try view.file(luid) }
    }

    /// - Returns: nil where nothing is.
    public func file(at path: RemotePath) async throws -> ReplicaFile? {
        try await read { view in try view.file(at: path) }
    }

    /// A folder's children, folders first, then by name.
    public func children(of folder: LUID) async throws -> [ReplicaFile] {
        try await read { view in try view.children(of: folder) }
    }

    /// - Returns: nil for what is not, or not yet, in the root.
    public func path(of luid: LUID) async throws -> RemotePath? {
        try await read { view in try view.path(of: luid) }
    }

    /// - Returns: nil for what is not known here.
    public func luid(ofServerId id: String) async throws -> LUID? { try await store().luid(ofServerId: id) }

    /// Whether a file of exactly so many bytes is on the server, as far as is known here.
    public func knowsFile(ofSize size: Int64) async throws -> Bool {
        try await store().ground { ground in try RemoteFileTable.hasFile(ofSize: size, in: ground.db) }
    }

    /// - Returns: nil for what the server does not have yet.
    public func serverId(of luid: LUID) async throws -> String? { try await store().serverId(of: luid) }

    /// The server's own tree below a folder, without what waits to be sent and without what is in the trash, every
    /// folder before what is in it, and the number of the link that it is of: under another number, what is missing was
    /// not deleted but not told of.
    ///
    /// What was let go below it is asked for again first: here absence must be absence.
    ///
    /// - Returns: nil where the folder is not known, or while not every page of a link has arrived.
    public func remoteTree(
        below folderId: String
    ) async throws -> (folder: ReplicaFile, below: [ReplicaFile], cursor: String, link: Int64)? {
        for _ in 0..<Self.mostLists {
            let tree = try await store().ground { ground -> RemoteTreeHere? in
                let state = try ReplicaStateTable.read(ground.db)
                guard state.isLinked, let cursor = state.cursor,
                    let luid = try LuidTable.find(serverId: folderId, in: ground.db),
                    let folder = try ground.file(luid),
                    try ground.isLive(folder)
                else { return nil }
                if try !ThinnedFolderTable.among(luid, in: ground.db).isEmpty { return .thinned(luid) }
                return .whole(folder, try RemoteFileTable.live(below: luid, in: ground.db), cursor, state.link)
            }
            switch tree {
            case nil: return nil
            case .thinned(let luid): try await completeBelow(luid)
            case .whole(let folder, let below, let cursor, let link): return (folder, below, cursor, link)
            }
        }
        throw Self.restless
    }

    /// What the server has in its trash, what lies in folders there too; without what waits to be sent.
    package func trashedTrees() async throws -> [File] {
        try await store().ground { ground in
            try RemoteFileTable.trashedTrees(in: ground.db).map { file in
                let parentId = try file.parent.flatMap { try LuidTable.serverId(of: $0, in: ground.db) }
                return file.file(parentId: parentId, trashed: true)
            }
        }
    }
}

private enum RemoteTreeHere {
    case whole(ReplicaFile, [ReplicaFile], String, Int64)
    /// Files of folders below were let go here.
    case thinned(LUID)
}

extension DatabaseGround {
    /// It, and every folder above it, is here and not in the trash.
    fileprivate func isLive(_ file: ReplicaFile) throws -> Bool {
        var next: ReplicaFile? = file
        for _ in 0...FileLimits.maximumDepth {
            guard let file = next, file.trashedAt == nil else { return false }
            if file.luid == .root { return true }
            next = try file.parent.flatMap { try self.file($0) }
        }
        return false
    }
}
