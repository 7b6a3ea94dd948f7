import BothyContract

/// Posts by their words and hashtags, among those that a person may read. Without a connection, among those that are kept here: the first
/// page, and those after a page of the server's.
public protocol PostSearching: Sendable {
    /// - Parameter text: words, each of which begins a word of the post.
    /// - Throws: `ClientFailure` where nothing can be shown.
    func posts(having text: String, after place: String?, limit: Int) async throws -> FeedPage

    /// - Parameter tag: in any case, without its “#”.
    /// - Throws: `ClientFailure` where nothing can be shown.
    func posts(tagged tag: String, after place: String?, limit: Int) async throws -> FeedPage

    /// Hashtags that begin so, those of the most posts first.
    ///
    /// - Parameter prefix: empty for any.
    /// - Throws: `offline`.
    func tags(beginningWith prefix: String, limit: Int) async throws -> [Hashtag]
}
