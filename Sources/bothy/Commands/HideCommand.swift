import ArgumentParser
import BothyClient

/// `bothy hide`
struct HideCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hide", abstract: "Leave files and folders out of lists and searches, or show them again.",
        discussion: """
            “bothy ls --all” lists them all the same, and whoever knows a path still gets what is there. What lies in a hidden \
            folder is hidden only where it is hidden itself: a search finds it.
            """)

    @OptionGroup var options: MarkOptions

    func run() async throws {
        try await options.mark(deed: "hidden", words: ("is hidden", "is shown again")) {
            try await $0.setHidden($1, $2)
        }
    }
}
