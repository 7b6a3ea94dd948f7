import BothyContract

/// What a person wrote, as it was sent.
public enum WrittenText: Equatable, Sendable {
    case markdown(String)
    /// Of an editor; what ``PostText`` does not know is dropped.
    case html(String)

    /// - Returns: nil where there is more than a post may have.
    public var text: PostText? {
        switch self {
        case .markdown(let typed): return PostEncoder.text(of: typed)
        case .html(let html):
            // What is dropped may be long; what is kept is measured.
            guard html.utf8.count <= 4 * FeedLimits.maximumContentBytes else { return nil }
            let text = PostText(html: html)
            return text.html.utf8.count <= FeedLimits.maximumContentBytes ? text : nil
        }
    }

    /// The Markdown; empty for HTML.
    public var markdown: String {
        if case .markdown(let typed) = self { typed } else { "" }
    }

    /// The HTML, for an editor to continue; nil for Markdown. Safe on a page: it was written from what was understood.
    public var html: String? {
        if case .html(let html) = self { PostText(html: html).html } else { nil }
    }

    public var isEmpty: Bool {
        switch self {
        case .markdown(let text), .html(let text): text.isEmpty
        }
    }
}
