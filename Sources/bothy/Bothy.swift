import ArgumentParser
import BothyContract

/// `bothy`: everything there is to type.
struct Bothy: AsyncParsableCommand {
    static let version = Release.version

    static let configuration = CommandConfiguration(
        commandName: "bothy",
        abstract: "Your files at hand, with or without a signal.",
        discussion: """
            Paths on the server begin with “/”; all other paths are on this machine. To resume an interrupted transfer, run \
            the same command again.

            Exit status: 0 done, 1 failed, 2 wrong usage, 3 sign-in needed, 4 not found or in conflict, 5 partly done, \
            6 saved on this device, to be sent when there is a connection.
            """,
        version: version,
        groupedSubcommands: [
            CommandGroup(
                name: "Account",
                subcommands: [
                    RegisterCommand.self, LoginCommand.self, LogoutCommand.self, WhoamiCommand.self,
                    DevicesCommand.self,
                    PasswordCommand.self,
                ]),
            CommandGroup(
                name: "Files",
                subcommands: [
                    LsCommand.self, FindCommand.self, PutCommand.self, GetCommand.self, CatCommand.self,
                    MkdirCommand.self,
                    MvCommand.self, CpCommand.self, RmCommand.self, TrashCommand.self,
                    StarCommand.self, HideCommand.self, StatCommand.self, HistoryCommand.self, RestoreCommand.self,
                    WatchCommand.self,
                    PinCommand.self, UnpinCommand.self,
                ]),
            CommandGroup(
                name: "Feed",
                subcommands: [FeedCommand.self]),
            CommandGroup(
                name: "Synced folders",
                subcommands: [
                    SyncCommand.self, BindingsCommand.self, UnsyncCommand.self, WhyCommand.self, LogCommand.self,
                    UndoCommand.self, VerifyCommand.self,
                ]),
            CommandGroup(
                name: "This device",
                subcommands: [
                    StatusCommand.self, TransfersCommand.self, JournalCommand.self, ConflictsCommand.self,
                    ResolveCommand.self, PauseCommand.self, ResumeCommand.self, OpenCommand.self, AgentCommand.self,
                    ConfigCommand.self, DoctorCommand.self, SimulateCommand.self,
                    CompletionCommand.self,
                ]),
            CommandGroup(name: "Server", subcommands: [UpCommand.self, ServerCommand.self]),
        ])
}
