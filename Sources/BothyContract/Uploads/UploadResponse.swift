/// How far a session is.
public struct UploadResponse: Codable, Equatable, Sendable {
    /// The session's.
    public var uploadId: String
    /// Of the plan as it is; an open one may grow.
    public var totalChunks: Int
    /// How many were received, or were there before.
    public var chunksProcessed: Int
    /// Bytes of a fixed chunk; for named blocks the largest one allowed.
    public var chunkSize: Int64
    /// Relative to the server's origin.
    public var uploadUrl: String
    /// Each activity moves it on, by ``UploadLimits/sessionLifetime``.
    public var uploadExpiresAt: Timestamp
    /// Which were received, ascending.
    public var receivedChunks: [ChunkRun]
    /// The version of the parameters that the drive's files are cut by; told where a session starts or is asked for.
    public var blockParameters: Int?
    /// Present once the session is finished.
    public var file: File?

    public init(
        uploadId: String, totalChunks: Int, chunksProcessed: Int, chunkSize: Int64, uploadUrl: String,
        uploadExpiresAt: Timestamp, receivedChunks: [ChunkRun], blockParameters: Int? = nil, file: File?
    ) {
        self.uploadId = uploadId
        self.totalChunks = totalChunks
        self.chunksProcessed = chunksProcessed
        self.chunkSize = chunkSize
        self.uploadUrl = uploadUrl
        self.uploadExpiresAt = uploadExpiresAt
        self.receivedChunks = receivedChunks
        self.blockParameters = blockParameters
        self.file = file
    }
}

/// `POST /v1/upload/{id}/finalize`: what it names replaces what the start named.
public struct FinalizeRequest: Codable, Equatable, Sendable {
    /// Bytes; of an open plan, which did not know it at the start.
    public var size: Int64?
    /// Compared with what the server computed; refused with `hash_mismatch`.
    public var fileHashSha256: ContentHash?
    public var name: String?
    public var parentId: String?
    public var baseRevisionId: String?
    public var conflict: ConflictPolicy?

    public init(
        size: Int64? = nil, fileHashSha256: ContentHash? = nil, name: String? = nil, parentId: String? = nil,
        baseRevisionId: String? = nil, conflict: ConflictPolicy? = nil
    ) {
        self.size = size
        self.fileHashSha256 = fileHashSha256
        self.name = name
        self.parentId = parentId
        self.baseRevisionId = baseRevisionId
        self.conflict = conflict
    }
}

/// The file that was made, as it was committed.
public struct FinalizeResponse: Codable, Equatable, Sendable {
    /// The file's id on the server.
    public var remoteFileId: String
    /// Computed by the server from what it stored.
    public var fileHashSha256: ContentHash
    public var file: File
    public var revision: FileRevision

    public init(remoteFileId: String, fileHashSha256: ContentHash, file: File, revision: FileRevision) {
        self.remoteFileId = remoteFileId
        self.fileHashSha256 = fileHashSha256
        self.file = file
        self.revision = revision
    }
}
