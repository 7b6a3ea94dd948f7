import ArgumentParser

/// `bothy server`: runs a server, or looks after one.
struct ServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server",
        abstract: "Run a server, or look after one that runs.",
        discussion: """
            Without a command it serves: “bothy server --data FOLDER --listen HOST:PORT”; “bothy server run --help” lists every \
            flag. Settings come from a YAML file (--config), from BOTHY_… variables and from flags; \
            each is stronger than the one before. “bothy server --print-config” shows what came of it.
            """,
        subcommands: [
            ServeCommand.self, InitCommand.self, UserCommand.self, GCCommand.self, VerifyStoreCommand.self,
            StatsCommand.self, ReportsCommand.self, ServerPostCommand.self,
            BackupCommand.self,
            RestoreBackupCommand.self, ImportCommand.self, ExportCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)
}
