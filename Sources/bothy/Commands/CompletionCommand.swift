import ArgumentParser

/// `bothy completion SHELL`
struct CompletionCommand: ParsableCommand {
    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish
        /// No shell: the manual page, for those who make packages.
        case man

        static var allValueStrings: [String] { ["bash", "zsh", "fish"] }
    }

    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print a shell completion script for commands and names.",
        discussion: """
            bash: bothy completion bash > ~/.local/share/bash-completion/completions/bothy
            zsh: bothy completion zsh > a folder of your fpath/_bothy
            fish: bothy completion fish > ~/.config/fish/completions/bothy.fish

            Names on the server are completed too, and the shell never evaluates any of them.
            """)

    @Argument(help: "bash, zsh or fish.")
    var shell: Shell

    func run() throws {
        let script: String
        switch shell {
        case .bash: script = CompletionScript.text(for: .bash)
        case .zsh: script = CompletionScript.text(for: .zsh)
        case .fish: script = CompletionScript.text(for: .fish)
        case .man: script = try ManualPage(help: Bothy._dumpHelp(), version: Bothy.version).text
        }
        Terminal().writeOutput(script + "\n")
    }
}
