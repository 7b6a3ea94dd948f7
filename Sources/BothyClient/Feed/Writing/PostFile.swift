import BothyContract

/// A picture or video for a post.
package enum PostFile: Equatable, Sendable {
    /// The account's own, and on the server.
    case there(NewAttachment)
    /// A file of this disk, that goes up first.
    case here(Local)

    /// A file of this disk.
    package struct Local: Equatable, Sendable {
        /// Absolute.
        package var path: String
        package var name: String
        package var type: AttachmentType
        package var caption: String?

        /// - Throws: `refused` for what is no picture and no video.
        package init(path: String, name: String, caption: String? = nil) throws(ClientFailure) {
            self.path = path
            self.name = name
            self.type = try AttachableFile.type(of: name, mimeType: MediaType.of(name) ?? File.defaultMimeType)
            self.caption = caption
        }
    }
}
