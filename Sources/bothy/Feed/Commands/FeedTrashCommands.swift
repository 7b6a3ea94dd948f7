import ArgumentParser
import BothyClient
import BothyContract

/// `bothy feed trash`
struct FeedTrashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash", abstract: "List your deleted posts; restore them, or delete them for good.",
        discussion: "A deleted post is kept for 30 days, and nobody else sees it.",
        subcommands: [FeedTrashListCommand.self, FeedTrashRestoreCommand.self, FeedTrashDeleteCommand.self],
        defaultSubcommand: FeedTrashListCommand.self)
}

/// `bothy feed trash list`
struct FeedTrashListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List your deleted posts, the newest first.")

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.looking { home in
            var count = 0
            for try await trashed in TrashedPosts(trash: home.postTrash) {
                try output.list(PostWords.trashed(trashed), TrashedPostDocument(trashed))
                count += 1
            }
            if count == 0 { output.note("There are no deleted posts.") }
        }
    }
}

/// `bothy feed trash restore`
struct FeedTrashRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore deleted posts, with their likes and comments.")

    @Argument(help: "Posts, by their digits as “bothy feed trash” shows them.")
    var posts: [String]

    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        var restored: Int64
    }

    func run() async throws {
        try await Home.using { home in
            for post in posts {
                let id = try await TrashedPosts(trash: home.postTrash).find(post)
                try await home.postTrash.restore(id)
                try output.tell("\(PostWords.digits(id)) is restored.", Document(restored: id))
            }
        }
    }
}

/// `bothy feed trash delete`
struct FeedTrashDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete posts for good. They cannot be restored.")

    @Argument(help: "Posts, by their digits as “bothy feed trash” shows them.")
    var posts: [String]

    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        var deletedForGood: Int64
    }

    func run() async throws {
        try await Home.using { home in
            for post in posts {
                let id = try await TrashedPosts(trash: home.postTrash).find(post)
                try await home.postTrash.deleteForGood(id)
                try output.tell("\(PostWords.digits(id)) is deleted for good.", Document(deletedForGood: id))
            }
        }
    }
}

/// A deleted post, as `--json` prints it.
private struct TrashedPostDocument: Encodable {
    var post: Int64
    var deletedAt: Timestamp
    var createdAt: Timestamp
    /// HTML.
    var contentSummary: String
    var isCut: Bool
    /// The warning before it; absent where there is none.
    var contentWarning: String?
    var attachmentCount: Int

    init(_ trashed: TrashedPost) {
        post = trashed.post.postId
        (deletedAt, createdAt) = (trashed.deletedAt, trashed.post.createdAt)
        (contentSummary, isCut) = (trashed.post.contentSummary, trashed.post.isCut)
        contentWarning = trashed.post.contentWarning
        attachmentCount = trashed.post.attachmentCount
    }
}
