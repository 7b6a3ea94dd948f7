import BothyClient
import BothyContract

/// Posts as lines of a terminal.
enum PostWords {
    /// Of a post's number, enough to tell it from others.
    static let digitsShown = 6

    static func digits(_ id: Int64) -> String { String(String(id).suffix(digitsShown)) }

    /// - Parameter source: who found it, in a search.
    static func preview(_ post: PostPreview, from source: PostSource? = nil) -> [String] {
        var head = "\(post.author.name) · \(MomentText.text(post.createdAt)) · \(digits(post.postId))"
        if let sharer = post.sharedBy { head += " · shared by \(sharer.name)" }
        if let mark = AudienceWords.mark(post.audience) { head += " · \(mark)" }
        if let source { head += source == .device ? " · on this device" : " · on the server" }
        return [head] + beginning(post)
            + facts(
                likes: post.likeCount, liked: post.liked, shares: post.shareCount, comments: post.commentCount,
                bookmarked: post.bookmarked, attachments: post.attachmentCount) + [""]
    }

    /// Of a post with a warning, that alone.
    private static func beginning(_ post: PostPreview) -> [String] {
        if let text = post.contentWarning {
            return warned(text) + ["  “bothy feed show \(digits(post.postId))” shows the post."]
        }
        return lines(PostText(html: post.contentSummary))
            + (post.isCut ? ["  “bothy feed show \(digits(post.postId))” shows the rest."] : [])
    }

    /// The line before a post, where there is one.
    private static func warned(_ text: String?) -> [String] { text.map { ["  \(warning($0))"] } ?? [] }

    static func warning(_ text: String) -> String { "Warning: \(text)" }

    /// Below a post, where those that follow it were not fetched.
    static func missing(_ gap: FeedPage.Gap) -> [String] {
        let older = "“bothy feed list --after \(gap.older)” fetches them from the newest on"
        let newer = gap.newer.map { ", “bothy feed list --above \($0)” from the oldest on" } ?? ""
        return ["Posts are missing here. With a connection, \(older)\(newer).", ""]
    }

    /// Above a page that was fetched from below.
    static func newer(above entry: Int64) -> [String] {
        ["Newer posts: “bothy feed list --above \(entry)”.", ""]
    }

    /// - Parameter names: of people who are known here.
    static func waiting(_ post: WaitingPost, names: [Int64: String] = [:]) -> [String] {
        let time = post.publishAt.map { " on \(MomentText.text($0))" } ?? ""
        let waits = post.files.map { "waiting for \(files($0)), to be posted\(time)" } ?? "waiting to be posted\(time)"
        let standing = post.refusal.map { "not posted: \($0.words)" } ?? waits
        let kind = post.comment.map { "comment on \(digits($0.post)) · " } ?? ""
        let told = kind + (post.isPosted ? "posted" : "\(standing) (number \(post.id))")
        let audience = AudienceWords.mark(post.audience, names: names).map { " · \($0)" } ?? ""
        return ["You · \(MomentText.text(post.writtenAt)) · \(told)\(audience)"]
            + warned(post.contentWarning) + lines(PostText(html: post.content))
            + facts(
                likes: 0, liked: false, shares: 0, comments: 0, bookmarked: false, attachments: post.attachmentCount)
            + [""]
    }

    /// «2 pictures or videos (41 MB)», with what stands in their way.
    static func files(_ waiting: WaitingFiles) -> String {
        let count = counted(waiting.count, "picture or video", "pictures or videos")
        let reason = waiting.failure.map { ": \($0.words)" } ?? ""
        return "\(count) (\(ByteText.text(waiting.bytes)))\(reason)"
    }

    static func scheduled(_ post: ScheduledPost) -> [String] {
        var head = "\(post.scheduledId) · to be posted on \(MomentText.text(post.publishAt))"
        if let held = post.held { head = "\(post.scheduledId) · not posted: \(held)" }
        if let mark = AudienceWords.mark(post.audience) { head += " · \(mark)" }
        return [head] + warned(post.contentWarning) + lines(PostText(html: post.content))
            + facts(
                likes: 0, liked: false, shares: 0, comments: 0, bookmarked: false, attachments: post.attachments.count)
            + [""]
    }

    static func trashed(_ trashed: TrashedPost) -> [String] {
        let post = trashed.post
        let head = "\(digits(post.postId)) · posted \(MomentText.text(post.createdAt))"
        return ["\(head) · deleted \(MomentText.text(trashed.deletedAt))"]
            + warned(post.contentWarning) + lines(PostText(html: post.contentSummary))
            + facts(
                likes: post.likeCount, liked: post.liked, shares: post.shareCount, comments: post.commentCount,
                bookmarked: post.bookmarked, attachments: post.attachmentCount)
            + [""]
    }

    static func draft(_ draft: DraftPreview) -> [String] {
        let audience = draft.audience.flatMap { AudienceWords.mark(ofDraft: $0) }.map { " · \($0)" } ?? ""
        let mark = audience + (draft.copiedFrom == nil ? "" : " · changed in two places")
        let text = lines(PostText(html: draft.contentSummary))
        return ["Draft · \(MomentText.text(draft.updatedAt)) · \(digits(draft.draftId))\(mark)"]
            + warned(draft.contentWarning) + (text.isEmpty ? ["  Nothing written yet."] : text)
            + facts(
                likes: 0, liked: false, shares: 0, comments: 0, bookmarked: false, attachments: draft.attachmentCount)
            + [""]
    }

    /// - Parameter server: where its pictures and videos are.
    static func whole(_ post: PostDetail, server: String) -> [String] {
        ["\(post.author.name) · \(MomentText.text(post.createdAt)) · \(post.postId)"]
            + [AudienceWords.mark(post.audience)].compactMap { $0.map { "  \($0)" } }
            + warned(post.contentWarning) + lines(PostText(html: post.content))
            + facts(
                likes: post.likeCount, liked: post.liked, shares: post.shareCount, comments: post.commentCount,
                bookmarked: post.bookmarked, attachments: 0)
            + post.attachments.flatMap { attachment in
                [
                    "  \(attachment.type.rawValue)\(attachment.caption.map { ": \($0)" } ?? "")",
                    "    \(server)\(attachment.contentUrl)",
                ]
            }
    }

    /// A comment below its post; replies are indented.
    static func comment(_ comment: Comment) -> [String] {
        let indent = comment.threadId == comment.commentId ? "  " : "      "
        let about =
            comment.parentLeft == true
            ? " · in reply to someone who left"
            : comment.parentDeleted == true ? " · in reply to a deleted comment" : ""
        let head =
            "\(comment.author.name) · \(MomentText.text(comment.createdAt)) · \(digits(comment.commentId))\(about)"
        return ["", indent + head] + lines(PostText(html: comment.content)).map { indent + $0 }
    }

    private static func facts(
        likes: Int, liked: Bool, shares: Int, comments: Int, bookmarked: Bool, attachments: Int
    ) -> [String] {
        let facts = [
            likes == 0 ? nil : counted(likes, "like") + (!liked ? "" : likes == 1 ? ", yours" : ", yours too"),
            shares == 0 ? nil : counted(shares, "share"), comments == 0 ? nil : counted(comments, "comment"),
            bookmarked ? "bookmarked" : nil,
            attachments == 0 ? nil : counted(attachments, "picture or video", "pictures or videos"),
        ].compactMap { $0 }
        return facts.isEmpty ? [] : ["  " + facts.joined(separator: " · ")]
    }

    /// «1 post», «2 posts».
    static func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
    }

    private static func lines(_ text: PostText) -> [String] {
        var lines = [String]()
        // Of the lists around, the numbers of their last entries.
        var numbers = [Int]()
        for block in text.blocks {
            var mark = ""
            if case .item(let isNumbered) = block.kind {
                numbers = Array((numbers + [0]).prefix(block.depth + 1))
                numbers[block.depth] = isNumbered ? numbers[block.depth] + 1 : 0
                mark = String(repeating: "  ", count: block.depth) + (isNumbered ? "\(numbers[block.depth]). " : "- ")
            } else {
                numbers = []
                if case .heading(let level) = block.kind { mark = String(repeating: "#", count: level) + " " }
                if block.kind == .quote { mark = "> " }
            }
            let blank = String(repeating: " ", count: mark.count)
            for (index, line) in words(block).split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                lines.append("  " + (index == 0 ? mark : blank) + line)
            }
        }
        return lines
    }

    /// A link is followed by where it leads, unless that is what it says.
    private static func words(_ block: PostText.Block) -> String {
        block.runs.map { run in
            guard let link = run.link, link != run.text else { return run.text }
            return "\(run.text) (\(link))"
        }.joined()
    }
}
