import BothyContract

/// What a finished session led to: kept, so that it can be told again.
package struct UploadOutcome: Codable, Equatable, Sendable {
    package var file: File
    package var revision: FileRevision
    /// The place of the change in the drive's log.
    package var cursor: String
    /// The place right before it, where it is the one change that the upload made: nothing had to come out of the trash.
    package var cursorBefore: String?

    package init(file: File, revision: FileRevision, cursor: String, cursorBefore: String? = nil) {
        self.file = file
        self.revision = revision
        self.cursor = cursor
        self.cursorBefore = cursorBefore
    }

    /// With addresses of the content that hold from now on, for the caller.
    func addressed(by signer: URLSigner, for caller: Caller, now: Timestamp) -> UploadOutcome {
        var copy = self
        let path = signer.downloadPath(
            driveId: caller.driveId, revisionId: revision.revisionId, for: AddressedSignIn(caller), now: now)
        copy.file.downloadUrl = path
        copy.revision.downloadUrl = path
        return copy
    }
}

extension UploadOutcome: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.field("cursor", cursor)
        json.field("cursorBefore", cursorBefore)
        json.field("file", file)
        json.field("revision", revision)
    }
}
