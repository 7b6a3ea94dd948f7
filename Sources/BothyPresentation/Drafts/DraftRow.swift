import BothyContract

/// A draft as the list of them draws it.
public struct DraftRow: Equatable, Sendable, Identifiable {
    public var id: Int64
    /// The beginning of its words, in one line.
    public var beginning: String
    /// «3 h», «20 Nov»: when it was changed last.
    public var date: String
    /// «20 Nov 2026, 14:03».
    public var moment: String
    public var updatedAt: Timestamp
    /// «3 pictures or videos»; nil for none.
    public var attachments: String?
    /// It was changed in two places, and this is one of the two.
    public var isCopy: Bool

    init(_ draft: DraftPreview, words: Words, clock: PersonsClock) {
        id = draft.draftId
        beginning = words.line(of: PostText(html: draft.contentSummary))
        date = words.ago(draft.updatedAt, at: clock)
        moment = words.moment(draft.updatedAt, at: clock)
        updatedAt = draft.updatedAt
        attachments = words.attachments(draft.attachmentCount)
        isCopy = draft.copiedFrom != nil
    }
}
