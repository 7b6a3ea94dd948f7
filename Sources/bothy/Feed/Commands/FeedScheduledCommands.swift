import ArgumentParser
import BothyClient
import BothyContract

/// `bothy feed scheduled`
struct FeedScheduledCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scheduled", abstract: "List, reschedule or delete your scheduled posts.",
        subcommands: [FeedScheduledListCommand.self, FeedScheduledMoveCommand.self, FeedScheduledDeleteCommand.self],
        defaultSubcommand: FeedScheduledListCommand.self)
}

/// `bothy feed scheduled list`
struct FeedScheduledListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List your scheduled posts, the next one first.")

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.looking { home in
            let known = try await home.scheduledPosts.all()
            for post in known.value { try output.list(PostWords.scheduled(post), ScheduledPostDocument(post)) }
            output.note(unreached: known.unreached)
            if known.value.isEmpty { output.note("No posts are scheduled.") }
        }
    }
}

/// `bothy feed scheduled move`
struct FeedScheduledMoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Change the time of a scheduled post; “now” posts it at once.")

    @Argument(help: "A number, as “bothy feed scheduled” shows it, or the last digits of it.")
    var post: String

    @Argument(help: "When to post it: \(ScheduleArgument.examples), in your own time zone; or “now”.")
    var time: [String]

    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        var number: Int64
        var posted: Bool
        /// Absent for what is posted now.
        var publishAt: Timestamp?
    }

    func run() async throws {
        try await Home.using { home in
            let (now, typed) = (SystemTime.now(), time.joined(separator: " "))
            let isNow = typed == "now"
            let at =
                isNow ? now : try ScheduleArgument(typed, now: now, atOnce: "“now” posts it at once.").time
            let number = try await ScheduledArgument.find(post, in: home)
            try await home.scheduledPosts.move(number, to: at)
            try output.tell(
                isNow ? "Posted." : "It is scheduled for \(MomentText.text(at)).",
                Document(number: number, posted: isNow, publishAt: isNow ? nil : at))
        }
    }
}

/// `bothy feed scheduled delete`
struct FeedScheduledDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete scheduled posts.")

    @Argument(help: "Numbers, as “bothy feed scheduled” shows them, or the last digits of each.")
    var posts: [String]

    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        var deleted: Int64
    }

    func run() async throws {
        try await Home.using { home in
            for post in posts {
                let number = try await ScheduledArgument.find(post, in: home)
                try await home.scheduledPosts.delete(number)
                try output.tell("\(number) is deleted, and will not be posted.", Document(deleted: number))
            }
        }
    }
}

/// A post that waits for its time, as `--json` prints it.
private struct ScheduledPostDocument: Encodable {
    var number: Int64
    var publishAt: Timestamp
    /// Why it was not posted at its time; absent while it waits for that.
    var held: String?
    var content: String
    /// The warning before it; absent where there is none.
    var contentWarning: String?
    var attachmentCount: Int
    var audience: PostAudience

    init(_ post: ScheduledPost) {
        number = post.scheduledId
        publishAt = post.publishAt
        held = post.held
        content = post.content
        contentWarning = post.contentWarning
        attachmentCount = post.attachments.count
        audience = post.audience
    }
}
