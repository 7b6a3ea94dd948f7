import BothyContract

/// What a finished session led to: kept, so that it can be told again.
package struct UploadOutcome: Codable, Equatable, Sendable {
    package var file: File
    package var revision: FileRevision
    /// The place of the change in the drive's log.
    package var cursor: String

    package init(file: File, revision: FileRevision, cursor: String) {
        self.file = file
        self.revision = revision
        self.cursor = cursor
    }
}
