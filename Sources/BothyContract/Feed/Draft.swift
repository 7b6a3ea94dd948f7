/// A post that is being written, kept with its author's account.
public struct Draft: Codable, Equatable, Sendable, Identifiable {
    /// 1 to ``FeedLimits/maximumDraftId``, made by the client. The post that it becomes has this as its request id.
    public var draftId: Int64
    /// 1, and one more with each change.
    public var version: Int64
    /// HTML of ``PostText``; empty where nothing was typed yet.
    public var content: String
    /// See ``PostPreview/contentWarning``.
    public var contentWarning: String?
    /// Those whose content is still there.
    public var attachments: [DraftAttachment]
    /// How many more there were, whose content was deleted for good.
    public var goneAttachments: Int
    /// When it shall be posted; absent where nothing was set.
    public var publishAt: Timestamp?
    /// Whom it shall be to; absent where nothing was chosen yet. Of the people who were named, those who are still here.
    public var audience: PostAudience?
    public var updatedAt: Timestamp
    /// The draft that was changed elsewhere meanwhile, where this one was made so that both are kept.
    public var copiedFrom: Int64?

    public var id: Int64 { draftId }

    public init(
        draftId: Int64, version: Int64, content: String, attachments: [DraftAttachment] = [], goneAttachments: Int = 0,
        publishAt: Timestamp? = nil, audience: PostAudience? = nil, updatedAt: Timestamp, copiedFrom: Int64? = nil,
        contentWarning: String? = nil
    ) {
        self.draftId = draftId
        self.version = version
        self.content = content
        self.contentWarning = contentWarning
        self.attachments = attachments
        self.goneAttachments = goneAttachments
        self.publishAt = publishAt
        self.audience = audience
        self.updatedAt = updatedAt
        self.copiedFrom = copiedFrom
    }
}

/// A picture or video of a draft.
public struct DraftAttachment: Codable, Equatable, Sendable {
    public var type: OpenWord<AttachmentType>
    /// Signed: its holder reads the content until it ends.
    public var contentUrl: String
    /// Absent where there is none.
    public var previewImageUrl: String?
    public var caption: String?
    /// The file of the author's drive; the id of none where it is deleted, and a post still shows its content.
    public var fileId: String
    /// The file's, or the one that it had.
    public var name: String

    public init(
        type: AttachmentType, contentUrl: String, previewImageUrl: String? = nil, caption: String? = nil,
        fileId: String, name: String
    ) {
        self.type = OpenWord(type)
        self.contentUrl = contentUrl
        self.previewImageUrl = previewImageUrl
        self.caption = caption
        self.fileId = fileId
        self.name = name
    }
}

/// A draft as a list shows it.
public struct DraftPreview: Codable, Equatable, Sendable, Identifiable {
    public var draftId: Int64
    public var version: Int64
    /// The beginning of its text, as HTML of ``PostText``.
    public var contentSummary: String
    /// Whether the text goes on after that.
    public var isCut: Bool
    /// See ``PostPreview/contentWarning``.
    public var contentWarning: String?
    public var attachmentCount: Int
    public var publishAt: Timestamp?
    /// As that of ``Draft``; nil where nothing was chosen yet.
    public var audience: PostAudience?
    public var updatedAt: Timestamp
    public var copiedFrom: Int64?

    public var id: Int64 { draftId }

    public init(
        draftId: Int64, version: Int64, contentSummary: String, isCut: Bool, attachmentCount: Int,
        publishAt: Timestamp? = nil, audience: PostAudience? = nil, updatedAt: Timestamp, copiedFrom: Int64? = nil,
        contentWarning: String? = nil
    ) {
        self.draftId = draftId
        self.version = version
        self.contentSummary = contentSummary
        self.isCut = isCut
        self.contentWarning = contentWarning
        self.attachmentCount = attachmentCount
        self.publishAt = publishAt
        self.audience = audience
        self.updatedAt = updatedAt
        self.copiedFrom = copiedFrom
    }
}

/// `GET /v1/drafts`: all of them, the one that was changed last first.
public struct GetDraftsResponse: Codable, Equatable, Sendable {
    public var drafts: [DraftPreview]

    public init(drafts: [DraftPreview]) { self.drafts = drafts }
}

/// `PUT /v1/drafts/{draftId}`.
public struct SaveDraftRequest: Codable, Equatable, Sendable {
    /// HTML; what ``PostText`` does not know is dropped. 0 to ``FeedLimits/maximumContentBytes`` bytes.
    public var content: String
    /// 0 to ``FeedLimits/maximumAttachmentsToPeople``: whom it is to may be chosen last.
    public var attachments: [NewAttachment]?
    public var publishAt: Timestamp?
    /// Whom it shall be to; ``PostAudience/Kind/people`` may name nobody yet. Absent, it stays as the draft had it.
    public var audience: NewPostAudience?
    /// See ``NewPostRequest/contentWarning``. Absent, it stays as the draft had it; an empty one takes it away.
    public var contentWarning: String?
    /// The version that was changed, 0 to ``FeedLimits/maximumDraftId``; absent or 0 for a new draft.
    public var baseVersion: Int64?
    /// 1 to 64 bytes, made by whatever writes, for as long as it stays open: what the same editor saves again on the same base
    /// replaces what it saved, since it did not hear the answer.
    public var editorId: String?

    public init(
        content: String, attachments: [NewAttachment]? = nil, publishAt: Timestamp? = nil,
        audience: NewPostAudience? = nil, contentWarning: String? = nil, baseVersion: Int64? = nil,
        editorId: String? = nil
    ) {
        self.content = content
        self.attachments = attachments
        self.publishAt = publishAt
        self.audience = audience
        self.contentWarning = contentWarning
        self.baseVersion = baseVersion
        self.editorId = editorId
    }
}

extension FeedLimits {
    /// Drafts of an account.
    public static let maximumDrafts = 500
    /// The greatest whole number that every JavaScript program reads exactly.
    public static let maximumDraftId: Int64 = (1 << 53) - 1
    /// Bytes of ``SaveDraftRequest/editorId``.
    public static let editorIdLength = 1...64
    /// Unicode scalars of text in a ``DraftPreview/contentSummary``.
    public static let draftSummaryLength = 280
}
