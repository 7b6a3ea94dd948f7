import ArgumentParser
import BothyClient
import BothyContract

/// `bothy feed notifications`
struct FeedNotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications", abstract: "List your notifications, newest first.",
        discussion: """
            Likes and shares of your posts, comments on them, replies to your comments, mentions of you, and new followers. \
            Unread ones are marked with a star.
            """)

    @Option(name: [.customShort("n"), .long], help: "The maximum number of notifications, 1 to 100.")
    var limit = FeedLimits.defaultPage

    @Option(help: "Continue after a page: the “next” value that “--json” prints.")
    var after: String?

    @Flag(help: "Mark those shown, and all older ones, as read.")
    var read = false

    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        var notifications: [FeedNotification]
        var unread: Int
        /// Where the next page begins; absent on the last.
        var next: String?
        /// Why the server could not be asked; absent where it was.
        var unreached: String?
    }

    func validate() throws {
        guard (1...FeedLimits.maximumPage).contains(limit) else {
            throw ValidationError("“--limit” should be 1 to \(FeedLimits.maximumPage).")
        }
    }

    func run() async throws {
        try await Home.looking { home in
            var page = try await home.notifications.page(after: after, limit: limit)
            if read, let newest = page.notifications.first {
                page.unread = try await home.notifications.read(upTo: newest.notificationId)
            }
            try output.list(
                page.notifications.map(NotificationWords.line),
                Document(
                    notifications: page.notifications, unread: page.unread, next: page.next,
                    unreached: page.unreached?.words))
            output.note(unreached: page.unreached)
            if page.notifications.isEmpty { output.note("Nothing yet.") }
        }
    }
}
