import BothyContract

/// How much a text may be that somebody posts.
enum PostBounds {
    /// - Parameter html: as it was sent.
    /// - Returns: its text, in which nobody is named yet: see ``PostNaming``.
    /// - Throws: `invalid_parameter` for more characters than a text may have.
    static func text(of html: String) throws -> PostText {
        let text = PostText(html: html)
        guard text.length <= FeedLimits.maximumCharacters else {
            throw Problem(
                .invalidParameter,
                "A text has at most \(FeedLimits.maximumCharacters) characters; this has \(text.length).")
        }
        return PostNaming.named(text, people: [:])
    }
}
