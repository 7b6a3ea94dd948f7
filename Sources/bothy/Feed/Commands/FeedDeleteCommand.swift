import ArgumentParser
import BothyClient
import BothyContract

/// `bothy feed delete`
struct FeedDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete one of your posts for everybody, or a comment.",
        discussion: """
            Comments can be deleted by their author and by the author of the post. A deleted post stays in “bothy feed trash” \
            for 30 days, and can be restored from there.
            """)

    @Argument(help: "A post, by its digits as “bothy feed” shows them.")
    var post: String

    @Option(help: "Delete this comment instead, by its digits as “bothy feed show” shows them.")
    var comment: String?

    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        var deleted: Int64
    }

    func run() async throws {
        try await Home.using { home in
            let id = try await PostArgument.find(post, in: home)
            let ending = try await FeedEnding(output: output, after: home)
            let (deleted, done, isThere): (Int64, String, Bool)
            if let comment {
                deleted = try await CommentArgument.find(comment, of: id, in: home)
                isThere = try await home.posts.deleteComment(deleted, on: id)
                done = "The comment is deleted."
            } else {
                deleted = id
                isThere = try await home.posts.delete(id)
                done =
                    "The post is deleted. “bothy feed trash restore \(PostWords.digits(id))” restores it."
            }
            if isThere { return try output.tell(done, Document(deleted: deleted)) }
            try await ending.tell(home, done: done, Document(deleted: deleted))
        }
    }
}
