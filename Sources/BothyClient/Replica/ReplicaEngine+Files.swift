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
        return (order ?? .name).sorted(files)
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
    private typealias Keyed = (file: File, key: [UInt8])

    /// As the server lists: folders first in any order, and what is equal otherwise by the bytes of its name.
    fileprivate func sorted(_ files: [File]) -> [File] {
        // The key of a name is made once.
        let keyed: [Keyed] = files.map { ($0, isByName ? NameOrder.key($0.name) : []) }
        return keyed.sorted { left, right in
            if left.file.isFolder != right.file.isFolder { return left.file.isFolder }
            return isDescending ? precedes(right, left) : precedes(left, right)
        }.map(\.file)
    }

    private var isByName: Bool { self == .name || self == .nameDescending }

    private var isDescending: Bool { rawValue.hasPrefix("-") }

    private func precedes(_ left: Keyed, _ right: Keyed) -> Bool {
        switch self {
        case .name, .nameDescending:
            if left.key != right.key { return left.key.lexicographicallyPrecedes(right.key) }
        case .modifiedAt, .modifiedAtDescending:
            if left.file.modifiedAt != right.file.modifiedAt { return left.file.modifiedAt < right.file.modifiedAt }
        case .size, .sizeDescending:
            if left.file.size != right.file.size { return left.file.size < right.file.size }
        }
        return left.file.name.utf8.lexicographicallyPrecedes(right.file.name.utf8)
    }
}
