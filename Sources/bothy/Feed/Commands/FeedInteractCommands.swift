import ArgumentParser
import BothyClient
import BothyContract

/// What the commands share that do something with posts: which posts, and what is printed.
struct PostsOptions: ParsableArguments {
    @Argument(help: "Posts, by their digits as “bothy feed” shows them.")
    var posts: [String]

    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        var post: Int64
        var type: PostInteraction
    }

    func interact(_ interaction: PostInteraction, words: String) async throws {
        try await Home.using { home in
            let ending = try await FeedEnding(output: output, after: home)
            var isDone = true
            for argument in posts {
                let id = try await PostArgument.find(argument, in: home)
                let isAgain = try await home.feed.waiting(interaction, on: id) != nil
                let isThere = try await home.posts.interact(interaction, with: id)
                isDone = isThere && isDone
                let again = isAgain && !isThere ? " already, and waiting to be sent" : ""
                try output.tell("\(PostWords.digits(id)): \(words)\(again)", Document(post: id, type: interaction))
            }
            let isWaiting = try await ending.tellWhatWaits(home)
            if isWaiting, !isDone { throw Finished(status: .queued) }
        }
    }
}

/// `bothy feed like`
struct FeedLikeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "like", abstract: "Like posts.")

    @OptionGroup var options: PostsOptions

    func run() async throws { try await options.interact(.liked, words: "liked") }
}

/// `bothy feed unlike`
struct FeedUnlikeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unlike", abstract: "Remove likes.")

    @OptionGroup var options: PostsOptions

    func run() async throws { try await options.interact(.removedLike, words: "no longer liked") }
}

/// `bothy feed share`
struct FeedShareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Share posts with your followers, or undo that.")

    @Flag(help: "Undo the shares.")
    var remove = false

    @OptionGroup var options: PostsOptions

    func run() async throws {
        try await options.interact(
            remove ? .removedShare : .shared,
            words: remove ? "no longer shared" : "shared with your followers")
    }
}

/// `bothy feed bookmark`
struct FeedBookmarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bookmark", abstract: "Bookmark posts, or remove their bookmarks.")

    @Flag(help: "Remove the bookmarks.")
    var remove = false

    @OptionGroup var options: PostsOptions

    func run() async throws {
        try await options.interact(
            remove ? .removedBookmark : .bookmarked, words: remove ? "bookmark removed" : "bookmarked")
    }
}
