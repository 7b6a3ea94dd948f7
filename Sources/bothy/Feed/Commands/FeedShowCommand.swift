import ArgumentParser
import BothyClient
import BothyContract

/// `bothy feed show`
struct FeedShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a whole post with its comments.",
        discussion: "Links to pictures and videos expire after an hour.")

    @Argument(help: "A post, by its digits as “bothy feed” shows them, or a number of “bothy feed outbox”.")
    var post: String

    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        var post: PostDetail
        /// Thread by thread, the oldest first.
        var comments: [Comment]
        /// Comments that were written here and are not sent yet.
        var waiting: [WaitingPostDocument]
        /// True where only its beginning is known here: it was in a list, and never opened here.
        var isBeginning: Bool
        /// Why the server could not be asked; absent where it was.
        var unreached: String?
    }

    func run() async throws {
        try await Home.looking { home in
            if let waiting = try await PostArgument.waiting(post, in: home) {
                let names = try await FeedOutbox.names(in: home)
                return try output.list(PostWords.waiting(waiting, names: names), WaitingPostDocument(waiting))
            }
            let read = try await home.posts.post(try await PostArgument.find(post, in: home))
            let comments = try await CommentArgument.all(of: read.post.postId, in: home)
            let server = try home.account.signedIn()?.server.description ?? ""
            let lines = PostWords.whole(read.post, server: server) + comments.comments.flatMap(PostWords.comment)
            try output.list(
                lines + comments.waiting.flatMap { [""] + PostWords.waiting($0) },
                Document(
                    post: read.post, comments: comments.comments,
                    waiting: comments.waiting.map(WaitingPostDocument.init), isBeginning: read.isBeginning,
                    unreached: read.unreached?.words))
            output.note(unreached: read.unreached)
            if read.isBeginning {
                output.note("This post was not opened here before: only its beginning is shown, without attachments.")
            }
        }
    }
}
