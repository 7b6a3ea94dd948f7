import BothyContract

/// A picture or film as a feed draws it.
public struct PostRowMedium: Equatable, Sendable {
    /// Nil for what only newer screens know.
    public var type: AttachmentType?
    /// «1:05», of a film whose length is known.
    public var length: String?

    init(_ preview: AttachmentPreview) {
        type = preview.type.known
        length = type == .video ? preview.durationMs.flatMap(FilmLength.text(milliseconds:)) : nil
    }
}
