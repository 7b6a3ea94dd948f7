import ArgumentParser

@main
struct Bothy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bothy", abstract: "Your files at hand, with or without a signal.",
        subcommands: [ServerCommand.self, UpCommand.self])
}
