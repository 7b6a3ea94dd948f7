import BothyContract
import GRDB

/// The drafts that are kept here: the list of them, and those that were read whole. What becomes of one changes both.
enum KeptDrafts {
    static func put(_ draft: Draft, in db: Database) throws {
        try KeptAnswerTable.put(draft, as: .draft(draft.draftId), in: db)
        try changeList(in: db) { drafts in
            drafts.removeAll { $0.draftId == draft.draftId }
            drafts.append(DraftPreview(draft))
            // As the server lists them.
            drafts.sort { ($0.updatedAt, $0.draftId) > ($1.updatedAt, $1.draftId) }
        }
    }

    /// It was deleted.
    static func remove(_ id: Int64, in db: Database) throws {
        try KeptAnswerTable.remove(.draft(id), in: db)
        try changeList(in: db) { $0.removeAll { $0.draftId == id } }
    }

    /// It was posted.
    ///
    /// - Parameter version: which was posted: what was written after it stays a draft.
    static func remove(_ id: Int64, posted version: Int64, in db: Database) throws {
        let kept: Draft? = try KeptAnswerTable.find(.draft(id), in: db)
        if kept.map({ $0.version <= version }) ?? true { try KeptAnswerTable.remove(.draft(id), in: db) }
        try changeList(in: db) { $0.removeAll { $0.draftId == id && $0.version <= version } }
    }

    /// Where it was never asked for, nobody knows which others there are.
    private static func changeList(in db: Database, _ change: (inout [DraftPreview]) -> Void) throws {
        guard var kept: GetDraftsResponse = try KeptAnswerTable.find(.drafts, in: db) else { return }
        change(&kept.drafts)
        try KeptAnswerTable.put(kept, as: .drafts, in: db)
    }
}

extension DraftPreview {
    /// As a list of the server's has it.
    fileprivate init(_ draft: Draft) {
        let (summary, isCut) = PostText(html: draft.content).summary(length: FeedLimits.draftSummaryLength)
        self.init(
            draftId: draft.draftId, version: draft.version, contentSummary: summary.html, isCut: isCut,
            attachmentCount: draft.attachments.count + draft.goneAttachments, publishAt: draft.publishAt,
            audience: draft.audience, updatedAt: draft.updatedAt, copiedFrom: draft.copiedFrom,
            contentWarning: draft.contentWarning)
    }
}
