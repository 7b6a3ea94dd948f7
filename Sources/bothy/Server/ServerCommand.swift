import ArgumentParser

/// `bothy server`: runs a server, or looks after one.
struct ServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server",
        abstract: "Run or manage a server.",
        discussion: """
            Without a command it runs the server: “bothy server --data FOLDER --listen HOST:PORT”; “bothy server run --help” \
            lists all flags. Settings come from a YAML file (--config), BOTHY_… variables and flags; each overrides the one \
            before. “bothy server --print-config” shows the result.
            """,
        subcommands: [
            ServeCommand.self, InitCommand.self, UserCommand.self, GCCommand.self, VerifyStoreCommand.self,
            StatsCommand.self, ReportsCommand.self, ServerPostCommand.self,
            BackupCommand.self,
            RestoreBackupCommand.self, ImportCommand.self, ExportCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)
}
