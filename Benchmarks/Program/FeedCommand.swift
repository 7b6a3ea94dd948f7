import ArgumentParser
import BothyServer
import Logging

/// Makes a large feed in the data folder of a server that does not run, in which there are accounts to measure with.
struct FeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed", abstract: "Fills a server's data folder with people, whom they follow, and posts.",
        discussion: "Prints, as JSON, what it made and how long that took.")

    @Option(help: "The data folder of a server with accounts, which does not run.") var data: String
    @Option(help: "People besides those accounts.") var people = 1_000_000
    @Option(help: "Posts in all.") var posts = 10_000_000
    @Option(help: "People who have looked at their feeds lately.") var active = 10_000
    @Option(help: "Newest posts whose words are indexed.") var worded = 100_000
    @Option(help: "EMAIL=COUNT: this account follows so many.") var reader: [SizedAccount] = []
    @Option(help: "EMAIL=COUNT: so many follow this account, those first who have looked lately.") var author:
        [SizedAccount] = []
    @Option(help: "The same seed makes the same world.") var seed: UInt64 = 1

    func run() async throws {
        var config = ServerConfig()
        (config.data, config.existing, config.feedFollow) = (data, true, 0)
        let logger = Logger(label: "bothy-bench")
        let services = try await ServerServices.open(config, logger: logger)
        let plan = FeedPlan(people: people, posts: posts, active: active, seed: seed)
        let generator = FeedGenerator(services: services, plan: plan, readers: reader, authors: author, worded: worded)
        let figures = try await generator.generate()
        try await services.close()
        try figures.printAsJSON()
    }
}

/// `ada@example.org=5000`.
struct SizedAccount: ExpressibleByArgument, Sendable {
    var email: String
    var count: Int

    init?(argument: String) {
        let parts = argument.split(separator: "=")
        guard parts.count == 2, let count = Int(parts[1]), count >= 0 else { return nil }
        (email, self.count) = (String(parts[0]), count)
    }
}
