import ArgumentParser
import BothyServer

/// `bothy server reports`: what people reported of posts.
struct ReportsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reports", abstract: "List what people have reported of posts, and dismiss it.",
        subcommands: [List.self, Dismiss.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the reports, the oldest first.")
        @OptionGroup var server: DataOption

        func run() async throws { try await server.ask(.reportList) }
    }

    struct Dismiss: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "dismiss", abstract: "Dismiss what was reported of a post. The post stays.")
        @Argument(help: "The post's number, as “bothy server reports” shows it.") var post: Int64
        @OptionGroup var server: DataOption

        func run() async throws { try await server.ask(.reportDismiss(post: post)) }
    }
}

/// `bothy server post`: other people's posts.
struct ServerPostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "post", abstract: "Remove posts, whoever wrote them.", subcommands: [Remove.self])

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Delete a post for everybody. There is no way back.")
        @Argument(help: "The post's number, as “bothy server reports” shows it.") var post: Int64
        @Flag(help: "Do not ask.") var yes = false
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
