import BothyContract

/// Gives files and revisions the signed address of their content.
package struct DownloadLinks: Sendable {
    private let signer: URLSigner
    private let clock: any ServerClock

    package init(signer: URLSigner, clock: any ServerClock) {
        self.signer = signer
        self.clock = clock
    }

    /// - Parameter isNamed: whether the content comes with its file's name.
    package func path(driveId: Int64, revisionId: String, isNamed: Bool = true) -> String {
        signer.downloadPath(driveId: driveId, revisionId: revisionId, now: clock.now(), isNamed: isNamed)
    }

    package func filled(_ file: File, driveId: Int64) -> File {
        var file = file
        file.downloadUrl = file.headRevisionId.map { path(driveId: driveId, revisionId: $0) }
        return file
    }

    package func filled(_ revision: FileRevision, driveId: Int64) -> FileRevision {
        var revision = revision
        revision.downloadUrl = path(driveId: driveId, revisionId: revision.revisionId)
        return revision
    }
}
