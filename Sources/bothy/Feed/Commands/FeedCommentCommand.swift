import ArgumentParser
import BothyClient
import BothyContract

/// `bothy feed comment`
struct FeedCommentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "comment", abstract: "Comment on a post, or reply to a comment.",
        discussion: "Everybody on this server can read it. The text is Markdown, as in “bothy feed post”.")

    @Argument(help: "A post, by its digits as “bothy feed” shows them.")
    var post: String

    @Argument(help: "The text; “-” reads it from standard input.")
    var text: [String]

    @Option(help: "Reply to this comment, by its digits as “bothy feed show” shows them.")
    var reply: String?

    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        /// False where it waits for a connection.
        var posted: Bool
    }

    func run() async throws {
        try await Home.using { home in
            let id = try await PostArgument.find(post, in: home)
            var parent: Int64?
            if let reply { parent = try await CommentArgument.find(reply, of: id, in: home) }
            let written = try PostTyped.text(text)
            guard !written.isEmpty else { throw Complaint.usage("Write a few words to comment.") }
            let request = NewCommentRequest(requestId: nil, content: written.html, parentCommentId: parent)
            let ending = try await FeedEnding(output: output, after: home)
            if try await home.posts.comment(request, on: id) {
                return try output.tell("Sent.", Document(posted: true))
            }
            try await ending.tell(home, done: "Sent.", Document(posted: false))
        }
    }
}
