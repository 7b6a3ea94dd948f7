import ArgumentParser

/// `bothy feed`
struct FeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed", abstract: "Read, write and like what people on this server post.",
        discussion: """
            “bothy feed” alone lists the newest posts. The digits beside each post name it for the other commands. Without a \
            connection it shows what this device has fetched before; what you do then is sent later, in order.
            """,
        subcommands: [],
        groupedSubcommands: [
            CommandGroup(
                name: "Read",
                subcommands: [
                    FeedListCommand.self, FeedShowCommand.self, FeedNotificationsCommand.self, FeedSearchCommand.self,
                    FeedTagsCommand.self, FeedWhyCommand.self,
                ]),
            CommandGroup(
                name: "Write",
                subcommands: [
                    FeedPostCommand.self, FeedDraftsCommand.self, FeedCommentCommand.self, FeedDeleteCommand.self,
                    FeedOutboxCommand.self,
                    FeedEditCommand.self, FeedRetryCommand.self, FeedDiscardCommand.self,
                    FeedScheduledCommand.self, FeedTrashCommand.self,
                ]),
            CommandGroup(
                name: "React",
                subcommands: [
                    FeedLikeCommand.self, FeedUnlikeCommand.self, FeedShareCommand.self, FeedBookmarkCommand.self,
                ]),
            CommandGroup(
                name: "People",
                subcommands: [
                    FeedPeopleCommand.self, FeedProfileCommand.self, FeedFollowCommand.self, FeedUnfollowCommand.self,
                    FeedInviteCommand.self, FeedAcceptCommand.self, FeedRemoveFollowerCommand.self,
                    FeedMuteCommand.self,
                    FeedBlockCommand.self, FeedReportCommand.self,
                ]),
        ], defaultSubcommand: FeedListCommand.self)
}
