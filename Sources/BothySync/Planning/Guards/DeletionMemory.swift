import BothyContract

/// What the server remembers as deleted, below the bound folder: what a device that links anew must not bring back.
package struct DeletionMemory: Equatable, Sendable {
    private struct Entry: Equatable {
        var fileId: String
        var kind: NodeKind
        var checksum: ContentHash?
    }

    private var byPlace: [Place: [Entry]] = [:]
    private var ids: Set<String> = []

    package init() {}

    package static let none = DeletionMemory()

    /// - Parameter root: the bound folder's path on the drive, `/docs`; `/` for the whole drive.
    package init(_ deletions: some Sequence<Deletion>, below root: String) {
        let root = Place(root.pathNames.map { NodeName($0) })
        for deletion in deletions {
            let place = Place(deletion.path.pathNames.map { NodeName($0) })
            guard place.isWithin(root), place != root else { continue }
            remember(
                deletion.fileId, at: Place(place.names.dropFirst(root.depth)),
                kind: deletion.isFolder ? .folder : .file,
                checksum: deletion.checksum)
        }
    }

    /// - Parameter place: by its names on the server, from the bound folder.
    package mutating func remember(_ fileId: String, at place: Place, kind: NodeKind, checksum: ContentHash?) {
        ids.insert(fileId)
        let checksum = kind == .folder ? nil : checksum ?? .ofNothing
        byPlace[place, default: []].append(Entry(fileId: fileId, kind: kind, checksum: checksum))
    }

    /// It lies in the server's trash: a device that knew it by its id knows that it was deleted.
    package mutating func remember(trashed fileId: String) { ids.insert(fileId) }

    /// The same of all that lies there: a device that has lost its ids knows it by the place that it was deleted from.
    ///
    /// - Parameters:
    ///   - files: what lies in the server's trash, with what is in folders there.
    ///   - remote: what does not, below the bound folder.
    package mutating func remember(trashed files: [File], in remote: RemoteTree) {
        let trash = Dictionary(files.map { ($0.id, $0) }) { first, _ in first }
        for file in files {
            remember(trashed: file.id)
            guard let place = Self.place(of: file, among: trash, in: remote) else { continue }
            let facts = RemoteFacts(file)
            remember(file.id, at: place, kind: facts.kind, checksum: facts.checksum)
        }
    }

    /// - Returns: nil for what lay elsewhere.
    private static func place(of file: File, among trash: [String: File], in remote: RemoteTree) -> Place? {
        var names = [NodeName(file.name)]
        var next = file.parentId
        while let id = next, names.count <= trash.count {
            if let folder = remote.node(id) {
                return names.reversed().reduce(remote.tree.place(of: folder)) { $0.appending($1) }
            }
            guard let above = trash[id] else { return nil }
            names.append(NodeName(above.name))
            next = above.parentId
        }
        return nil
    }

    package func contains(_ fileId: String) -> Bool { ids.contains(fileId) }

    /// The id of what was deleted there, if it was the same: of the same content, or a folder like it.
    package func fileId(at place: Place, kind: NodeKind, hash: ContentHash?) -> String? {
        byPlace[place]?.first { $0.kind == kind && (kind == .folder || $0.checksum == hash) }?.fileId
    }
}
