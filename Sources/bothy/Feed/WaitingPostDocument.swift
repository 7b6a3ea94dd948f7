import BothyClient
import BothyContract

/// A post that waits, as `--json` prints it.
struct WaitingPostDocument: Encodable {
    private var number: Int64
    private var content: String
    /// The warning before it; absent where there is none.
    private var contentWarning: String?
    private var attachmentCount: Int
    /// Of these, those that have not reached the server; absent where all have.
    private var attachmentsToSend: Int?
    /// Bytes of those.
    private var bytesToSend: Int64?
    /// Absent for everyone, and for a comment.
    private var audience: NewPostAudience?
    private var writtenAt: Timestamp
    /// When it shall come out; absent for at once.
    private var publishAt: Timestamp?
    /// Why the server will not have it; absent where it waits for a connection.
    private var refusal: String?
    /// The post that a comment is on; absent for a post.
    private var commentOn: Int64?

    init(_ post: WaitingPost) {
        number = post.id
        content = post.content
        contentWarning = post.contentWarning
        attachmentCount = post.attachmentCount
        attachmentsToSend = post.files?.count
        bytesToSend = post.files?.bytes
        audience = post.audience
        writtenAt = post.writtenAt
        publishAt = post.publishAt
        refusal = post.refusal?.words
        commentOn = post.comment?.post
    }
}
