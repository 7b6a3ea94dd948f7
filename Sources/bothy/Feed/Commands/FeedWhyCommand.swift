import ArgumentParser

/// `bothy feed why`
struct FeedWhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Explain why a post is in your feed, and what is waiting to be sent for it.",
        discussion: "It works offline, from what this device knows. “bothy why POST” does the same.")

    @Argument(help: "A post, by its digits as “bothy feed” shows them, or a number as “bothy feed outbox” shows it.")
    var post: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.looking { home in try await PostWhy(home: home, output: output).tell(post) }
    }
}
