import BothyContract

/// One version of a file as `history` and `restore` print it with `--json`.
struct RevisionDocument: Encodable {
    var revisionId: String
    var fileId: String
    /// Bytes.
    var size: Int64
    var sha256: ContentHash
    var mimeType: String
    var modifiedAt: Timestamp
    var createdAt: Timestamp
    var deviceId: String?
    /// True for the version that the file has now.
    var current: Bool

    init(_ revision: FileRevision, current: Bool) {
        revisionId = revision.revisionId
        fileId = revision.fileId
        size = revision.size
        sha256 = revision.checksum
        mimeType = revision.mimeType
        modifiedAt = revision.modifiedAt
        createdAt = revision.createdAt
        deviceId = revision.deviceId
        self.current = current
    }
}
