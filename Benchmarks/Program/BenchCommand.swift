import ArgumentParser

/// What benchmarks need besides the product: something to be held against, and a world to be measured in.
@main struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bothy-bench", abstract: "Serves and makes what Bothy is measured with.",
        subcommands: [HandlerCommand.self, FeedCommand.self, ReadingCommand.self])
}
