import BothyContract

/// Everything that changes a drive, as one value: what a network can lose, delay and repeat.
package enum ServerCall: Equatable, Sendable {
    case create(CreateFileRequest)
    case update(String, UpdateFileRequest, ifMatch: EntityTag?)
    case delete(String, ServerDeletion)
    /// A whole upload: the session's chunks are the transfers' matter, and atomic here.
    case upload(UploadRequest, content: [UInt8])
    case copy(String, CopyFileRequest)
    case restore(String, revisionId: String)
}

/// How something is deleted, and what the one who deletes has seen.
package struct ServerDeletion: Equatable, Sendable {
    package var permanent: Bool
    package var asOf: String?
    package var baseRevisionId: String?
    package var ifMatch: EntityTag?

    package init(
        permanent: Bool = false, asOf: String? = nil, baseRevisionId: String? = nil, ifMatch: EntityTag? = nil
    ) {
        self.permanent = permanent
        self.asOf = asOf
        self.baseRevisionId = baseRevisionId
        self.ifMatch = ifMatch
    }
}

/// What the server says when it did what was asked.
package struct ServerAnswer: Equatable, Sendable {
    /// Absent after a permanent deletion.
    package var file: File?
    package var revision: FileRevision?
    /// The place of the change in the log.
    package var cursor: String
    /// The place right before it, where the file is all that changed between the two.
    package var cursorBefore: String?
}
