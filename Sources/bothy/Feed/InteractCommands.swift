import ArgumentParser
import BothyClient
import BothyContract

/// What `bothy like`, `bothy share` and `bothy bookmark` share: posts, and what is done with them.
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
            for argument in posts {
                let id = try await PostArgument.find(argument, in: home)
                try await home.posts.interact(interaction, with: id)
                try output.tell("\(PostWords.digits(id)): \(words)", Document(post: id, type: interaction))
            }
            try await FeedEnding(output: output).tellWhatWaits(home)
        }
    }
}

/// `bothy like`
struct LikeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "like", abstract: "Like posts, or take that back.")

    @Flag(help: "Take the like away again.")
    var remove = false

    @OptionGroup var options: PostsOptions

    func run() async throws {
        try await options.interact(
            remove ? .removedLike : .liked, words: remove ? "you like it no more" : "you like it")
    }
}

/// `bothy share`
struct ShareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Bring posts into the feeds of whoever follows you.")

    @OptionGroup var options: PostsOptions

    func run() async throws { try await options.interact(.shared, words: "shared with whoever follows you") }
}

/// `bothy bookmark`
struct BookmarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bookmark", abstract: "Mark posts to find them again, or take that back.")

    @Flag(help: "Take the bookmark away again.")
    var remove = false

    @OptionGroup var options: PostsOptions

    func run() async throws {
        try await options.interact(
            remove ? .removedBookmark : .bookmarked, words: remove ? "has no bookmark now" : "has a bookmark")
    }
}
