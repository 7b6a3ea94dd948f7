import BothyContract

/// What the viewer turns through, as its script is told.
struct ViewedMedia: Encodable {
    /// The place of the one that was opened.
    var at: Int
    var items: [ViewedMedium]
}

struct ViewedMedium: Encodable {
    var kind: AttachmentType
    /// The address of what is shown.
    var source: String
    /// That of the thing itself.
    var original: String
    /// What a film shows before it runs.
    var poster: String?
    var caption: String
    var name: String
}
