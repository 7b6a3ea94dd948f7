import ArgumentParser
import BothyClient
import BothyContract

/// `bothy feed edit`
struct FeedEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit the text or the content warning of one of your posts, or of one waiting to be posted.",
        discussion: """
            A refused post is sent again with its new text. Editing a published post needs a connection; it keeps its pictures \
            and is marked as edited. The text is Markdown, as in “bothy feed post”. “--detach” posts without the pictures and \
            videos that have not been uploaded yet; they stay among your files.
            """)

    @Argument(help: "A number, as “bothy feed outbox” shows it, or a post by its digits as “bothy feed” shows them.")
    var post: String

    @Argument(help: "The text; “-” reads it from standard input.")
    var text: [String] = []

    @Option(
        help: "A content warning: lists show it in place of the post, until a reader asks for that. The text stays.")
    var warning: String?

    @Flag(help: "Take the content warning away.")
    var noWarning = false

    @Flag(help: "Post without the pictures and videos that have not been uploaded yet.")
    var detach = false

    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        var number: Int64
        /// False where it waits for a connection.
        var posted: Bool
    }

    private struct EditedDocument: Encodable {
        var post: Int64
        var version: Int
    }

    func validate() throws {
        guard detach || !text.isEmpty || asked != nil else {
            throw ValidationError("Give the text, “--warning”, “--no-warning” or “--detach”.")
        }
        guard warning == nil || !noWarning else {
            throw ValidationError("Give “--warning” or “--no-warning”, not both.")
        }
        try WarningArgument.validate(warning)
    }

    /// The warning that it is to have; empty for none, and nil for the one that it has.
    private var asked: String? { noWarning ? "" : warning }

    /// Numbers of the outbox are short, and the digits that name a post are not.
    private var number: Int64? { post.count < PostWords.digitsShown ? Int64(post) : nil }

    func run() async throws {
        try await Home.using { home in
            let written = text.isEmpty ? nil : try PostTyped.text(text)
            if let written, written.isEmpty { throw Complaint.usage("There is nothing to post.") }
            guard let number else {
                guard !detach else {
                    throw Complaint.usage(
                        "“--detach” works only for posts that are waiting.", remedy: "“bothy feed outbox” lists it.")
                }
                return try await edit(written, home)
            }
            try await home.posts.rewrite(
                number, WaitingPost.Change(content: written?.html, contentWarning: asked, isDetached: detach))
            let left = try await home.feed.operation(number)
            if let failure = left?.lastError, left?.state == .parked { throw Complaint(failure) }
            if left == nil || left?.state == .acknowledged {
                return try output.tell("Posted.", Document(number: number, posted: true))
            }
            try await FeedEnding(output: output, of: [number]).tell(
                home, done: "Posted.", Document(number: number, posted: false))
        }
    }

    private func edit(_ written: PostText?, _ home: DeviceHome) async throws {
        let id = try await PostArgument.find(post, in: home)
        let now = try await home.posts.post(id)
        if let unreached = now.unreached { throw Complaint(unreached) }
        let request = EditPostRequest(
            requestId: nil, baseVersion: now.post.version, content: written?.html, contentWarning: asked)
        let edited = try await home.posts.edit(id, request)
        try output.tell("\(PostWords.digits(id)): edited", EditedDocument(post: id, version: edited.version))
    }
}
