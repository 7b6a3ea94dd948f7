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
        let type = try Self.type(of: name, mimeType: mimeType)
        guard let revisionId else {
            throw ClientFailure(
                .refused, "“\(name)” has not been uploaded yet.", remedy: Self.waitingRemedy)
        }
        self.init(
            name: name,
            attachment: NewAttachment(type: type, contentUrl: Self.address(ofRevision: revisionId)))
    }

    /// One that waits to be sent: what it is attached to waits with it.
    ///
    /// - Throws: `refused` for what is no picture and no video.
    init(name: String, mimeType: String, waiting file: LUID) throws(ClientFailure) {
        self.init(
            name: name,
            attachment: NewAttachment(type: try Self.type(of: name, mimeType: mimeType), file: file))
    }

    private static let waitingRemedy = "It is uploaded when there is a connection. Try again then, or remove it."

    /// It waits to be sent.
    package var isUnderWay: Bool { attachment.fileUnderWay != nil }

    /// The same, for what cannot wait for it.
    ///
    /// - Throws: `refused` for one that waits to be sent.
    package func onServer() throws(ClientFailure) -> Self {
        guard isUnderWay else { return self }
        throw ClientFailure(.refused, "“\(name)” has not been uploaded yet.", remedy: Self.waitingRemedy)
    }

    /// - Throws: `refused` for what is no picture and no video.
    static func type(of name: String, mimeType: String) throws(ClientFailure) -> AttachmentType {
        guard let type = AttachmentType(mimeType: mimeType) else {
            throw ClientFailure(
                .refused, "“\(name)” is not a picture or video.", remedy: "Choose a picture or a video.")
        }
        return type
    }

    /// Where the server has the content of a revision.
    static func address(ofRevision id: String) -> String { WireRequest.path(["v1", "content", id]) }

    /// A file as the server tells of it, or one that waits here to be sent: what it is attached to waits with it.
    public init(_ file: File) throws(ClientFailure) {
        if file.isOnlyHere, !file.isFolder {
            let type = try Self.type(of: file.name, mimeType: file.mimeType)
            self.init(name: file.name, attachment: NewAttachment(type: type, contentUrl: file.id))
            return
        }
        try self.init(name: file.name, mimeType: file.mimeType, revisionId: file.headRevisionId)
    }
}
