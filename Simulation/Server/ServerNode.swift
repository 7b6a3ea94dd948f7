import BothyContract

/// A file or folder in the model's drive.
package struct ServerNode: Sendable {
    package var id: String
    /// The sequence of the change that created it, which nothing changes: the order of a first link.
    var serial: Int64
    package var parentId: String?
    package var name: String
    var mimeType: String
    var version: Int64 = 1
    var createdAt: Timestamp
    var modifiedAt: Timestamp
    var updatedAt: Timestamp
    /// Set where it lies in the trash itself, and not by a folder above it.
    var trashedAt: Timestamp?
    /// Seconds the server had lived when it was put there: what purges goes by this, and never by the calendar.
    var trashedLived: Int64 = 0
    var starred = false
    var hidden = false
    var executable = false
    var requestId: String?
    var deviceId: String?
    /// Oldest first; empty for folders and empty new files.
    package var revisions: [ServerRevision] = []

    package var isFolder: Bool { mimeType == File.folderMimeType }
    package var head: ServerRevision? { revisions.last }

    /// - Parameter trashed: by itself or by a folder above it.
    func file(trashed: Bool) -> File {
        File(
            id: id, name: name, mimeType: mimeType, size: head?.size ?? 0, parentId: parentId,
            downloadUrl: head.map { "/v1/content/\($0.id)" }, checksum: head?.checksum, headRevisionId: head?.id,
            version: version, createdAt: createdAt, modifiedAt: modifiedAt, updatedAt: updatedAt, trashed: trashed,
            trashedAt: trashedAt, starred: starred, hidden: hidden, executable: executable, requestId: requestId,
            deviceId: deviceId)
    }
}

/// One state of a file's content; it never changes.
package struct ServerRevision: Sendable {
    package var id: String
    package var checksum: ContentHash
    package var size: Int64
    var modifiedAt: Timestamp
    var createdAt: Timestamp
    var deviceId: String?

    func revision(of node: ServerNode) -> FileRevision {
        FileRevision(
            revisionId: id, fileId: node.id, mimeType: node.mimeType, size: size, modifiedAt: modifiedAt,
            createdAt: createdAt, deviceId: deviceId, downloadUrl: "/v1/content/\(id)", checksum: checksum)
    }
}
