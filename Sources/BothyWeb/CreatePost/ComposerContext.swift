import BothyContract
import BothyPresentation

/// What is written, and what is attached, as the view of a post that is being written names things.
enum ComposerContext {
    static func of(
        _ written: WrittenText, behind warning: String, _ attached: [CreatePostState.Attached],
        of post: Int64? = nil, _ words: Words
    ) -> [String: Any] {
        var context: [String: Any] = [
            "mostWarning": FeedLimits.maximumContentWarning, "typed": typed(written), "html": written.html ?? "",
            "mostBytes": FeedLimits.maximumContentBytes,
            "mostAttached": FeedLimits.maximumAttachments, "blank": ["kind": "image"],
            "attached": attached.map { row($0, of: post) },
        ]
        if !warning.isEmpty { context["warning"] = warning }
        return context
    }

    /// For a field without an editor.
    private static func typed(_ written: WrittenText) -> String {
        switch written {
        case .markdown(let typed): typed
        case .html(let html): PostMarkdown.text(of: PostText(html: html))
        }
    }

    private static func row(_ attached: CreatePostState.Attached, of post: Int64?) -> [String: Any] {
        let source =
            if let post, let posted = attached.posted {
                Destination.post(post).link + "/media?of=\(posted)"
            } else {
                Destination.file(attached.id).link + "/content"
            }
        return [
            "id": attached.id.text, "name": attached.name, "kind": attached.type.rawValue, "caption": attached.caption,
            "thumb": MediaQuality.thumbnail.address(of: source),
        ]
    }
}
