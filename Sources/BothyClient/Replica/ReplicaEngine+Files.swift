import BothyContract

/// The replica in the wire's own words, for whatever shows files the same with a connection and without one. What the
/// server does not have yet has its LUID for an id: `#12`.
extension ReplicaEngine {
    static let unknown = ClientFailure(.notFound, "This is not there.")

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
        return order.map { order in files.sorted { order.precedes($0, $1) } } ?? files
    }

    /// What lies in the trash by itself, what was put there last first.
    package func trash() async throws -> [File] {
        try await read { view in
            try view.trashed().map { try view.wireFile($0) }
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
    /// Folders first; what is equal otherwise goes by name.
    fileprivate func precedes(_ left: File, _ right: File) -> Bool {
        if left.isFolder != right.isFolder { return left.isFolder }
        let byName = left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        return switch self {
        case .name: byName
        case .nameDescending: right.name.utf8.lexicographicallyPrecedes(left.name.utf8)
        case .modifiedAt: (left.modifiedAt, left.name) < (right.modifiedAt, right.name)
        case .modifiedAtDescending: (right.modifiedAt, left.name) < (left.modifiedAt, right.name)
        case .size: (left.size, left.name) < (right.size, right.name)
        case .sizeDescending: (right.size, left.name) < (left.size, right.name)
        }
    }
}
