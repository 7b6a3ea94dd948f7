import BothyContract

/// A picture or a video of a post: what it is, and of which revision.
package struct PostMedium: Sendable {
    package var type: AttachmentType
    package var revisionId: String
    package var mimeType: String
    /// What is known of it by now.
    package var look: MediaLook

    /// - Parameter row: type, revision, media type, and the columns of a ``MediaLook``.
    /// - Returns: nil for a type of a later release.
    init?(_ row: SQLRow) {
        guard let type = AttachmentType(rawValue: row.string(0)) else { return nil }
        (self.type, revisionId, mimeType) = (type, row.string(1), row.string(2))
        look = MediaLook(row, from: 3)
    }
}
