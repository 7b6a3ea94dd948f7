import ArgumentParser
import BothyClient

/// `bothy hide`
struct HideCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hide", abstract: "Hide files and folders from lists and searches, or show them again.",
        discussion: """
            “bothy ls --all” still lists them, and they can be downloaded by their path. Files in a hidden folder are not \
            hidden themselves: a search finds them.
            """)

    @OptionGroup var options: MarkOptions

    func run() async throws {
        try await options.mark(deed: "hidden", words: ("is hidden", "is shown again")) {
            try await $0.setHidden($1, $2)
        }
    }
}
