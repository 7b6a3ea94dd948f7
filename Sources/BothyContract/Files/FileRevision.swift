/// One state of a file's content. Revisions never change.
public struct FileRevision: Codable, Equatable, Sendable, Identifiable {
    /// Made by the server, opaque.
    public var revisionId: String
    public var fileId: String
    /// As the upload said it.
    public var mimeType: String
    /// Bytes.
    public var size: Int64
    /// The content's own time.
    public var modifiedAt: Timestamp
    /// When the server took it.
    public var createdAt: Timestamp
    /// The device that sent it.
    public var deviceId: String?
    /// Relative to the server's origin, signed, good for an hour at most.
    public var downloadUrl: String
    /// Of the whole content, computed by the server from what it stored.
    public var checksum: ContentHash

    public var id: String { revisionId }

    public init(
        revisionId: String, fileId: String, mimeType: String, size: Int64, modifiedAt: Timestamp,
        createdAt: Timestamp, deviceId: String?, downloadUrl: String, checksum: ContentHash
    ) {
        self.revisionId = revisionId
        self.fileId = fileId
        self.mimeType = mimeType
        self.size = size
        self.modifiedAt = modifiedAt
        self.createdAt = createdAt
        self.deviceId = deviceId
        self.downloadUrl = downloadUrl
        self.checksum = checksum
    }
}

/// A page of `GET /v1/files/{id}/revisions`.
public struct GetRevisionsResponse: Codable, Equatable, Sendable {
    /// Newest first.
    public var revisions: [FileRevision]
    public var pagination: PaginationMetadata

    public init(revisions: [FileRevision], pagination: PaginationMetadata) {
        self.revisions = revisions
        self.pagination = pagination
    }
}

/// `POST …/{revisionId}/restore` answers with the file and its new head.
public struct RestoreRevisionResponse: Codable, Equatable, Sendable {
    public var file: File
    /// The new head, with the old content: history only grows.
    public var revision: FileRevision

    public init(file: File, revision: FileRevision) {
        self.file = file
        self.revision = revision
    }
}

/// A block by its name: content of `size` bytes whose SHA-256 is `sha256`.
public struct BlockReference: Codable, Hashable, Sendable {
    public var sha256: ContentHash
    /// Bytes, 1 to 16 MiB.
    public var size: Int64

    public init(sha256: ContentHash, size: Int64) {
        self.sha256 = sha256
        self.size = size
    }

    /// The type of a list of blocks at 36 bytes each: the hash, then the size as a big-endian 32-bit number.
    public static let listMediaType = "application/vnd.bothy.blocks"
    /// Bytes of a block in such a list.
    public static let listedBytes = 36

    /// - Returns: nil for what is no such list.
    public static func list(_ bytes: [UInt8]) -> [BlockReference]? {
        guard bytes.count.isMultiple(of: listedBytes) else { return nil }
        var blocks = [BlockReference]()
        for start in stride(from: 0, to: bytes.count, by: listedBytes) {
            let listed = bytes[start..<(start + listedBytes)]
            let size = listed.suffix(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
            guard let hash = ContentHash(bytes: listed.dropLast(4)), UploadLimits.blockSizes.contains(size) else {
                return nil
            }
            blocks.append(BlockReference(sha256: hash, size: size))
        }
        return blocks
    }
}

/// `GET …/{revisionId}/blocks`.
public struct GetBlocksResponse: Codable, Equatable, Sendable {
    /// In the order in which they make up the content.
    public var blocks: [BlockReference]

    public init(blocks: [BlockReference]) { self.blocks = blocks }
}
