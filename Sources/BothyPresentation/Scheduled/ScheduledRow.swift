import BothyContract

/// A post that waits for its time, as the list of them draws it.
public struct ScheduledRow: Equatable, Sendable, Identifiable {
    public var id: Int64
    /// The beginning of its words, in one line.
    public var beginning: String
    /// «Comes out on 24 Dec 2026, 18:00»; or why it did not.
    public var standing: String
    /// It was not posted at its time, and waits for its author.
    public var isHeld: Bool
    /// Its time as a form's field shows it.
    public var field: String
    /// «2 photos and 1 video»; nil for none.
    public var attachments: String?

    init(_ post: ScheduledPost, words: Words, clock: PersonsClock) {
        id = post.scheduledId
        beginning = words.line(of: PostText(html: post.content), behind: post.contentWarning)
        isHeld = post.held != nil
        standing =
            post.held.map { words.filled(.scheduledHeld, $0) }
            ?? words.filled(.scheduledFor, words.moment(post.publishAt, at: clock))
        field = PostTime.text(post.publishAt, at: clock)
        attachments = words.attachments(post.attachments.count, post.attachments.map(\.type))
    }
}
