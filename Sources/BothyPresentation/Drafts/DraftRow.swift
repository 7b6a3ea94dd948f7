import BothyContract

/// A draft as the list of them draws it.
public struct DraftRow: Equatable, Sendable, Identifiable {
    public var id: Int64
    /// The beginning of its words, in one line, behind its warning.
    public var beginning: String
    /// «3 h», «20 Nov»: when it was changed last.
    public var date: String
    /// «20 Nov 2026, 14:03».
    public var moment: String
    public var updatedAt: Timestamp
    /// «3 pictures or videos»; nil for none.
    public var attachments: String?
    /// «Only for Ann, Ben»; nil for everyone, and where nothing was chosen yet.
    public var reach: String?
    /// It was changed in two places, and this is one of the two.
    public var isCopy: Bool

    init(_ draft: DraftPreview, words: Words, clock: PersonsClock) {
        id = draft.draftId
        beginning = words.line(of: PostText(html: draft.contentSummary), behind: draft.contentWarning)
        date = words.ago(draft.updatedAt, at: clock)
        moment = words.moment(draft.updatedAt, at: clock)
        updatedAt = draft.updatedAt
        attachments = words.attachments(draft.attachmentCount)
        reach = draft.audience.flatMap { Self.reach($0, words) }
        isCopy = draft.copiedFrom != nil
    }

    private static func reach(_ audience: PostAudience, _ words: Words) -> String? {
        switch audience.kind {
        case .everyone: nil
        case .people where audience.people?.isEmpty ?? true: words[.audiencePeople]
        case .people, .followers: PostReach(audience, you: nil, words: words).words
        }
    }
}
