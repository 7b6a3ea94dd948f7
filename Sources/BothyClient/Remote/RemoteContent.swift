import BothyContract

/// Content that can be fetched: one revision, and where it is served.
package struct RemoteContent: Equatable, Sendable {
    package var revisionId: String?
    /// Bytes.
    package var size: Int64
    package var checksum: ContentHash?
    /// Nil where there is nothing to fetch: a new file without content.
    package var downloadUrl: String?
    package var modifiedAt: Timestamp
    package var executable: Bool

    package init(
        revisionId: String?, size: Int64, checksum: ContentHash?, downloadUrl: String?, modifiedAt: Timestamp,
        executable: Bool
    ) {
        self.revisionId = revisionId
        self.size = size
        self.checksum = checksum
        self.downloadUrl = downloadUrl
        self.modifiedAt = modifiedAt
        self.executable = executable
    }

    /// Whether it is known where it can be fetched by itself, where there is anything to be fetched.
    package var hasAddress: Bool { downloadUrl != nil || size == 0 }

    package init(headOf file: File) {
        self.init(
            revisionId: file.headRevisionId, size: file.size, checksum: file.checksum, downloadUrl: file.downloadUrl,
            modifiedAt: file.modifiedAt, executable: file.executable)
    }
}
