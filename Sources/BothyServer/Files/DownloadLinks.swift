import BothyContract

/// Gives files and revisions the signed address of their content.
package struct DownloadLinks: Sendable {
    private let signer: URLSigner
    private let clock: any ServerClock

    package init(signer: URLSigner, clock: any ServerClock) {
        self.signer = signer
        self.clock = clock
    }

    /// The address of a revision of the caller's own drive, for as long as the caller's sign-in holds.
    package func path(of revisionId: String, for caller: Caller) -> String {
        signer.downloadPath(
            driveId: caller.driveId, revisionId: revisionId, for: AddressedSignIn(caller), now: clock.now())
    }

    /// The address of what a post shows to the caller, for as long as it does. It does not tell the file's name.
    ///
    /// - Parameter driveId: the drive that it lies in.
    package func namelessPath(
        of revisionId: String, in driveId: Int64, shownBy post: Int64, for caller: Caller
    ) -> String {
        signer.downloadPath(
            driveId: driveId, revisionId: revisionId, for: AddressedSignIn(caller), now: clock.now(), shownBy: post)
    }

    package func filled(_ file: File, for caller: Caller) -> File {
        var file = file
        file.downloadUrl = file.headRevisionId.map { path(of: $0, for: caller) }
        return file
    }

    package func filled(_ revision: FileRevision, for caller: Caller) -> FileRevision {
        var revision = revision
        revision.downloadUrl = path(of: revision.revisionId, for: caller)
        return revision
    }
}
