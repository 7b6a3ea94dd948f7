import BothyContract

/// How much a text may be that somebody posts.
enum PostBounds {
    /// - Parameter html: as it was sent.
    /// - Returns: its text, in which nobody is named yet: see ``PostNaming``.
    /// - Throws: `invalid_parameter` for more characters than a text may have, and for a text that is too long as it is written anew.
    static func text(of html: String) throws -> PostText {
        let text = PostText(html: html)
        guard text.length <= FeedLimits.maximumCharacters else {
            throw Problem(
                .invalidParameter,
                "A text has at most \(FeedLimits.maximumCharacters) characters; this has \(text.length).")
        }
        let named = PostNaming.named(text, people: [:])
        let written = named.html.utf8.count
        guard written <= FeedLimits.maximumWrittenBytes else {
            throw Problem(
                .invalidParameter,
                "A text has at most \(FeedLimits.maximumWrittenBytes) bytes once each run of words is written with its marks "
                    + "and its link; this has \(written). Fewer changes of marks in long links make it shorter.")
        }
        return named
    }
}
