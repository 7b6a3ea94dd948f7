import BothyContract

/// The replica in the wire's own words, for whatever shows files the same with a connection and without one. What the
/// server does not have yet has its LUID for an id: `#12`.
extension ReplicaEngine {
    static let unknown = ClientFailure(.notFound, "This does not exist.")

    /// - Throws: `notFound` for what was never heard of.
    package func luid(of id: String) async throws -> LUID {
        if id.hasPrefix("#"), let value = Int64(id.dropFirst()) { return LUID(value) }
        guard let luid = try await store().luid(ofServerId: id) else { throw Self.unknown }
        return luid
    }

    /// - Throws: `notFound`.
    package func file(withId id: String) async throws -> File {
        let luid = try await luid(of: id)
        guard let file = try await wireFile(luid) else { throw Self.unknown }
        return file
    }

    /// - Returns: nil where nothing is.
    package func wireFile(_ luid: LUID) async throws -> File? {
        try await read { view in try view.file(luid).map { try view.wireFile($0) } }
    }

    /// - Throws: `notFound`, `notAFolder`.
    package func wireFile(at path: RemotePath) async throws -> File {
        let found = try await read { view in try view.file(at: path).map { try view.wireFile($0) } }
        guard let found else { throw Self.unknown }
        return found
    }

    /// A folder's files as the server would list them.
    ///
    /// - Throws: `notFound`, `notAFolder`.
    package func files(in folderId: String, order: FileOrder?) async throws -> [File] {
        let luid = try await luid(of: folderId)
        usedFolders.insert(folderId)
        let files = try await read { view -> [File] in
            guard let folder = try view.file(luid) else { throw Self.unknown }
            guard folder.isFolder else { throw ClientFailure(.notAFolder, "“\(folder.name)” is a file.") }
            let (parentId, trashed) = (folder.serverId ?? luid.description, try view.isTrashed(luid))
            return try view.children(of: luid).map { $0.file(parentId: parentId, trashed: trashed) }
        }
        return (order ?? .name).sorted(files)
    }

    /// What lies in the trash by itself, what was put there last first.
    package func trash() async throws -> [File] {
        try await read { view in
            try view.trashed().map { try view.wireFile($0) }
        }
    }

    /// What has a star, folders first, then by name.
    package func starred() async throws -> [File] {
        try await read { view in
            try view.starred().map { try view.wireFile($0) }
        }
    }

    /// What a person who deletes this has seen of it.
    ///
    /// - Parameter cursor: for a folder, where it was looked at; nil for what is known here.
    package func seen(_ id: String, asOf cursor: String?) async throws -> SeenContent {
        let luid = try await luid(of: id)
        return try await read { view in
            guard try view.file(luid) != nil else { throw Self.unknown }
            return try view.seen(luid, asOf: cursor)
        }
    }
}

extension FileOrder {
    /// As the server lists.
    fileprivate func sorted(_ files: [File]) -> [File] {
        let placed = files.map { (file: $0, place: FolderPlace($0, in: self)) }
        return placed.sorted { $0.place.precedes($1.place) }.map(\.file)
    }
}
