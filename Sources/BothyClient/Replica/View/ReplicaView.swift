import BothyContract

/// What there is, as it is shown, read within one moment of the database.
package struct ReplicaView {
    package let overlay: Overlay
    let ground: DatabaseGround

    package func file(_ luid: LUID) throws -> ReplicaFile? { try overlay.file(luid, over: ground) }

    /// - Throws: where the folder's files were let go, and this may be one of them.
    package func child(_ name: String, of parent: LUID) throws -> ReplicaFile? {
        guard let luid = try overlay.child(at: NameInFolder(parent: parent, name: name), over: ground) else {
            if try ThinnedFolderTable.contains(parent, in: ground.db) { throw FolderThinned(folder: parent) }
            return nil
        }
        return try file(luid)
    }

    /// - Returns: nil where nothing is.
    package func file(at path: RemotePath) throws -> ReplicaFile? {
        var place = try file(.root)
        for name in path.names {
            guard let folder = place, folder.isFolder else { return nil }
            place = try child(name, of: folder.luid)
        }
        return place
    }

    /// A folder's children, folders first, then by name; without what is in the trash.
    ///
    /// - Throws: where its files were let go.
    package func children(of folder: LUID) throws -> [ReplicaFile] {
        if try ThinnedFolderTable.contains(folder, in: ground.db) { throw FolderThinned(folder: folder) }
        return try childrenKnown(of: folder)
    }

    /// The same, as far as they are known here.
    func childrenKnown(of folder: LUID) throws -> [ReplicaFile] {
        var children = [ReplicaFile]()
        let touched = Set(overlay.touched)
        try RemoteFileTable.forEachChild(of: folder, in: ground.db) { file in
            if file.trashedAt == nil, !touched.contains(file.luid) { children.append(file) }
        }
        let pending = try touched.compactMap { try file($0) }.filter { $0.parent == folder && $0.trashedAt == nil }
        guard !pending.isEmpty else { return children }
        return (children + pending).sorted(by: Self.precedes)
    }

    /// What lies in the trash by itself, what was put there last first.
    package func trashed() throws -> [ReplicaFile] {
        let touched = Set(overlay.touched)
        let cached = try RemoteFileTable.trashed(in: ground.db).filter { !touched.contains($0.luid) }
        let pending = try touched.compactMap { try file($0) }.filter { $0.trashedAt != nil }
        return (cached + pending).sorted { left, right in
            let (mine, other) = (left.trashedAt ?? left.updatedAt, right.trashedAt ?? right.updatedAt)
            return mine == other ? left.luid < right.luid : other < mine
        }
    }

    /// What has a star and lies in no folder that is in the trash, folders first, then by name, as the server lists it.
    package func starred() throws -> [ReplicaFile] {
        let touched = Set(overlay.touched)
        let cached = try RemoteFileTable.starred(in: ground.db).filter { !touched.contains($0.luid) }
        let pending = try touched.compactMap { try file($0) }.filter(\.starred)
        return try (cached + pending).filter { try above($0.luid) != nil && !isTrashed($0.luid) }
            .map { (file: $0, key: NameOrder.key($0.name)) }
            .sorted { left, right in
                if left.file.isFolder != right.file.isFolder { return left.file.isFolder }
                if left.key != right.key { return left.key.lexicographicallyPrecedes(right.key) }
                if left.file.name.utf8.elementsEqual(right.file.name.utf8) { return left.file.luid < right.file.luid }
                return left.file.name.utf8.lexicographicallyPrecedes(right.file.name.utf8)
            }
            .map(\.file)
    }

    static func precedes(_ left: ReplicaFile, _ right: ReplicaFile) -> Bool {
        if left.isFolder != right.isFolder { return left.isFolder }
        return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }

    /// Where a thing lies.
    ///
    /// - Returns: nil for what hangs in no root; what is in the trash has a path all the same.
    package func path(of luid: LUID) throws -> RemotePath? {
        var names = [String]()
        for file in try above(luid, including: true) ?? [] where file.luid != .root { names.append(file.name) }
        guard try above(luid, including: true) != nil else { return nil }
        return try RemotePath("/" + names.reversed().joined(separator: "/"))
    }

    /// Where what an operation is about is shown, or would be.
    func place(of operation: JournalOperation) throws -> RemotePath? {
        switch operation.action {
        case .upload(let parent, let name, _, _), .createFolder(let parent, let name):
            try path(of: operation.subject) ?? path(of: parent)?.appending(name)
        default: try path(of: operation.subject)
        }
    }

    /// The folders above a thing, up to the root.
    ///
    /// - Parameter including: begins with the thing itself.
    /// - Returns: nil where the way up ends before the root.
    package func above(_ luid: LUID, including: Bool = false) throws -> [ReplicaFile]? {
        var files = [ReplicaFile]()
        var next: LUID? = luid
        while let luid = next {
            guard files.count <= FileLimits.maximumDepth, let file = try file(luid) else { return nil }
            files.append(file)
            next = luid == .root ? nil : file.parent
            if luid != .root, next == nil { return nil }
        }
        return including ? files : Array(files.dropFirst())
    }

    /// The names of the folders that a thing lies in, from the root's children down.
    func names(above luid: LUID) throws -> [String] {
        (try above(luid) ?? []).reversed().filter { $0.luid != .root }.map(\.name)
    }

    /// A thing with where it lies.
    func found(_ file: ReplicaFile) throws -> FoundItem {
        FoundItem(
            item: FolderItem(file), folder: (file.parent ?? .root).item, above: try names(above: file.luid))
    }

    /// Whether it, or a folder that it lies in, is in the trash.
    package func isTrashed(_ luid: LUID) throws -> Bool {
        try above(luid, including: true)?.contains { $0.trashedAt != nil } ?? false
    }

    /// What a person who deletes this has seen of it: a folder as of a cursor, a file's newest version of the server's.
    /// Content that waits to be sent is seen too, and becomes that version when it is.
    ///
    /// - Parameter cursor: nil for how far the cache is.
    package func seen(_ luid: LUID, asOf cursor: String? = nil) throws -> SeenContent {
        let known = try ground.file(luid)
        let isThere = try known != nil || LuidTable.serverId(of: luid, in: ground.db) != nil
        guard let shown = try file(luid) ?? known, isThere else { return .anything }
        if shown.isFolder {
            let cursor = try cursor ?? ReplicaStateTable.read(ground.db).cursor
            return cursor.map { .subtree(cursor: $0) } ?? .unknown
        }
        if known == nil, shown.headRevisionId == nil { return .unknown }
        if let head = try shown.headRevisionId ?? base(ofContentFor: luid) ?? known?.headRevisionId {
            return .head(revisionId: head)
        }
        return .anything
    }

    /// The server's revision from which content that waits was made, by whatever others that wait in between. The cache may
    /// have a newer one by now, which nobody has seen under that content.
    private func base(ofContentFor luid: LUID) throws -> String? {
        for operation in try OperationTable.of(luid, in: ground.db).reversed() {
            if case .newRevision(_, let base?) = operation.action { return base }
        }
        return nil
    }

    package func wireFile(_ file: ReplicaFile) throws -> File {
        let parentId: String? = try file.parent.map { parent in
            try self.file(parent)?.serverId ?? parent.description
        }
        return file.file(parentId: parentId, trashed: try isTrashed(file.luid))
    }
}
