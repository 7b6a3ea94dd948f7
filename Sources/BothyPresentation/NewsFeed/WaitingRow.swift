import BothyClient
import BothyContract

/// A post or comment that was written here and is not sent yet, as a screen draws it.
public struct WaitingRow: Equatable, Sendable, Identifiable {
    public var id: WaitingPost.ID
    /// See ``PostRow/warning``.
    public var warning: String?
    public var text: PostText
    /// «3 pictures or videos»; nil for none.
    public var attachments: String?
    /// «Waiting to be posted», with what it waits for and why that does not go up, or why it was not posted.
    public var standing: String
    /// What to do now, where there is something to do.
    public var remedy: String?
    public var isRefused: Bool
    /// It waits, and can be discarded.
    public var canBeDiscarded: Bool
    /// It can go without the pictures and videos that it waits for.
    public var canBeDetached: Bool
    /// Pictures of it that are on this device.
    public var pictures: [ItemID]
    /// Whom it is to; nil for everyone, and for a comment.
    public var audience: String?
    /// The comment that it replies to; nil for what replies to none.
    public var parent: Int64?
    /// See ``PostRow/whereabouts``.
    public var whereabouts: String?

    init(_ post: WaitingPost, words: Words) {
        let refusal = post.refusal.map { words.failure($0) }
        let hindrance = post.files?.hindrance.map { words.failure($0) }
        id = post.id
        warning = post.contentWarning.map(ShownName.of)
        text = PostText(html: post.content)
        attachments = words.attachments(post.attachmentCount)
        standing = refusal.map { words.filled(.postRefused, $0.text) } ?? Self.waiting(post, hindrance, words)
        remedy = refusal?.remedy ?? hindrance?.remedy
        isRefused = refusal != nil
        canBeDiscarded = !post.isPosted
        canBeDetached = post.canBeDetached && !post.isPosted
        pictures = post.pictures
        audience =
            switch post.audience?.kind {
            case .followers: words[.postToFollowers]
            case .people: words[.waitingToPeople]
            case .everyone, nil: nil
            }
        parent = post.comment?.parent
    }

    /// - Parameter hindrance: why a file has not gone up.
    private static func waiting(_ post: WaitingPost, _ hindrance: Notice?, _ words: Words) -> String {
        guard let files = post.files else { return words[post.isPosted ? .postPublished : .postWaiting] }
        let count = words.counted(files.count, one: .postAttachmentOne, many: .postAttachmentMany)
        let size = words.size(files.bytes)
        guard let hindrance else { return words.filled(.postWaitingForFiles, count, size) }
        return words.filled(.postWaitingForFilesThatFail, count, size, hindrance.text)
    }
}

extension WaitingFiles {
    /// Why one of them does not go up, where that is more than that there is no connection now.
    fileprivate var hindrance: ClientFailure? { failure.flatMap { $0.isNetworks ? nil : $0 } }
}
