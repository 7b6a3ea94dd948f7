import ArgumentParser
import BothyClient
import BothyContract

/// `bothy feed drafts`
struct FeedDraftsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drafts", abstract: "List your drafts.",
        discussion: """
            Drafts belong to your account, so those from the browser are listed too. “bothy feed post --draft NUMBER” posts one \
            as it is.
            """)

    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        var number: Int64
        var version: Int64
        /// HTML.
        var contentSummary: String
        var isCut: Bool
        /// The warning before it; absent where there is none.
        var contentWarning: String?
        var attachmentCount: Int
        /// Absent where nothing was chosen yet.
        var audience: PostAudience?
        var updatedAt: Timestamp
        /// The draft that was changed elsewhere meanwhile, beside this one.
        var copiedFrom: Int64?

        init(_ draft: DraftPreview) {
            number = draft.draftId
            version = draft.version
            (contentSummary, isCut) = (draft.contentSummary, draft.isCut)
            (contentWarning, audience) = (draft.contentWarning, draft.audience)
            (attachmentCount, updatedAt, copiedFrom) = (draft.attachmentCount, draft.updatedAt, draft.copiedFrom)
        }
    }

    func run() async throws {
        try await Home.looking { home in
            let known = try await home.drafts.all()
            for draft in known.value { try output.list(PostWords.draft(draft), Document(draft)) }
            output.note(unreached: known.unreached)
            if known.value.isEmpty { output.note("There are no drafts.") }
        }
    }
}
