import BothyContract

/// A comment that may be made: what was asked, read and checked.
package struct NewComment: Sendable {
    package var text: PostText
    /// The comment that it replies to.
    package let parent: Int64?

    /// - Throws: `invalid_parameter`, with what is wrong.
    package init(_ request: NewCommentRequest) throws {
        guard request.content.utf8.count <= FeedLimits.maximumCommentBytes else {
            throw Problem(
                .invalidParameter, "A comment has at most \(FeedLimits.maximumCommentBytes) bytes of HTML.")
        }
        text = try PostBounds.text(of: request.content)
        parent = request.parentCommentId
        guard !text.isEmpty else { throw Problem(.invalidParameter, "A comment needs a text.") }
    }

    /// The same with the people and the hashtags that it names.
    func named(in db: any SQLConnection) throws -> NewComment {
        var named = self
        named.text = try PostNames(db).named(text)
        return named
    }
}
