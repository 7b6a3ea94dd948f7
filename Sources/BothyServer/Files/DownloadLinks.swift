import BothyContract

/// Gives files and revisions the signed address of their content.
package struct DownloadLinks: Sendable {
    private let sign: @Sendable (_ driveId: Int64, _ revisionId: String) -> String

    /// - Parameter sign: makes the signed path of a revision's content.
    package init(_ sign: @escaping @Sendable (_ driveId: Int64, _ revisionId: String) -> String) {
        self.sign = sign
    }

    package func path(driveId: Int64, revisionId: String) -> String { sign(driveId, revisionId) }

    package func filled(_ file: File, driveId: Int64) -> File {
        var file = file
        file.downloadUrl = file.headRevisionId.map { sign(driveId, $0) }
        return file
    }

    package func filled(_ revision: FileRevision, driveId: Int64) -> FileRevision {
        var revision = revision
        revision.downloadUrl = sign(driveId, revision.revisionId)
        return revision
    }
}
