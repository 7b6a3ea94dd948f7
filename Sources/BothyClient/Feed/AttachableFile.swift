import BothyContract

/// A picture or video of the account's own files, to be part of a post.
public struct AttachableFile: Equatable, Sendable {
    public var name: String
    public var attachment: NewAttachment

    public init(name: String, attachment: NewAttachment) {
        self.name = name
        self.attachment = attachment
    }

    /// - Throws: `refused` for what is no picture and no video, or whose content the server does not have yet.
    init(name: String, mimeType: String, revisionId: String?) throws(ClientFailure) {
        guard let type = AttachmentType(mimeType: mimeType) else {
            throw ClientFailure(
                .refused, "“\(name)” is no picture and no video.", remedy: "Choose a picture or a video.")
        }
        guard let revisionId else {
            throw ClientFailure(
                .refused, "“\(name)” has not reached the server yet.", remedy: "Post it once it has.")
        }
        self.init(
            name: name,
            attachment: NewAttachment(type: type, contentUrl: WireRequest.path(["v1", "content", revisionId])))
    }

    /// A file as the server tells of it.
    public init(_ file: File) throws(ClientFailure) {
        try self.init(name: file.name, mimeType: file.mimeType, revisionId: file.headRevisionId)
    }
}
