import ArgumentParser
import BothyServer

/// `bothy server reports`: what people reported of posts.
struct ReportsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reports", abstract: "List and dismiss reports about posts.",
        subcommands: [List.self, Dismiss.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the reports, the oldest first.")
        @OptionGroup var server: DataOption

        func run() async throws { try await server.ask(.reportList) }
    }

    struct Dismiss: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "dismiss", abstract: "Dismiss the reports about a post. The post stays.")
        @Argument(help: "The post's number, as “bothy server reports” shows it.") var post: Int64
        @OptionGroup var server: DataOption

        func run() async throws { try await server.ask(.reportDismiss(post: post)) }
    }
}

/// `bothy server post`: other people's posts.
struct ServerPostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "post", abstract: "Remove anyone's posts.", subcommands: [Remove.self])

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Delete a post for everybody. This cannot be undone.")
        @Argument(help: "The post's number, as “bothy server reports” shows it.") var post: Int64
        @Flag(help: "Do not ask for confirmation.") var yes = false
        @OptionGroup var server: DataOption

        func run() async throws {
            guard yes || Question.confirm("Delete the post \(post) for everybody?") else {
                return try await tellingFaults(json: server.json) {
                    throw ServerFault(.usage, "Nothing was deleted. Add --yes to do it without being asked.")
                }
            }
            try await server.ask(.postRemove(post: post))
        }
    }
}
