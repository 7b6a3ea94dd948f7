import ArgumentParser
import BothyClient

/// `bothy star`
struct StarCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "star", abstract: "Star files and folders, or remove the star.")

    @OptionGroup var options: MarkOptions

    func run() async throws {
        try await options.mark(deed: "given a star", words: ("is starred", "is no longer starred")) {
            try await $0.setStarred($1, $2)
        }
    }
}
