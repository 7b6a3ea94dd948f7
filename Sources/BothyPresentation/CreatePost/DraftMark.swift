import BothyContract

/// What a form that writes a post knows of its draft.
public struct DraftMark: Equatable, Sendable {
    /// The request id of the post: the draft's id, in digits. A form that has no draft may have any other.
    public var requestId: String
    /// That of the draft that the form began with, or saved last; 0 where nothing was saved.
    public var version: Int64
    /// Made by the form, for as long as it stays open.
    public var editor: String

    public init(requestId: String, version: Int64 = 0, editor: String) {
        self.requestId = requestId
        self.version = max(0, version)
        self.editor = editor
    }

    init(_ draft: Int64, version: Int64 = 0, editor: String) {
        self.init(requestId: String(draft), version: version, editor: editor)
    }

    /// The draft; nil for a form that has none.
    var draft: Int64? {
        Int64(requestId).flatMap { (1...FeedLimits.maximumDraftId).contains($0) && String($0) == requestId ? $0 : nil }
    }

    /// Nil where nothing was saved.
    var savedVersion: Int64? { version > 0 ? version : nil }

    /// - Returns: nil where it is none.
    var editorId: String? { FeedLimits.editorIdLength.contains(editor.utf8.count) ? editor : nil }
}
