/// What a list of posts says of one attachment.
public struct AttachmentPreview: Codable, Equatable, Sendable {
    public var type: OpenWord<AttachmentType>
    /// Of a video, in milliseconds; absent where it is not known, or not yet.
    public var durationMs: Int64?

    public init(type: OpenWord<AttachmentType>, durationMs: Int64? = nil) {
        self.type = type
        self.durationMs = durationMs
    }
}

extension AttachmentPreview {
    public init(_ attachment: Attachment) { self.init(type: attachment.type, durationMs: attachment.durationMs) }
}
