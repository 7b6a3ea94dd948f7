import ArgumentParser
import BothyServer

/// `bothy server gc`
struct GCCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gc", abstract: "Give back the room of what nothing refers to any more.",
        discussion: "Packs of which little is left are rewritten, 16 MiB a second. The server works meanwhile.")
    @OptionGroup var server: DataOption

    func run() async throws { try await server.ask(.gc) }
}

/// `bothy server verify`
struct VerifyStoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Read every stored byte, and name the files that are damaged.",
        discussion: """
            Exit status 1 when something is damaged. “bothy verify” does the same for the files that are on a device.
            """)
    @OptionGroup var server: DataOption

    func run() async throws { try await server.ask(.verify) }
}

/// `bothy server stats`
struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show how much there is, and where the room goes.",
        discussion: """
            For all and for each account: what all versions come to (logical), the blocks that they are made of, each once \
            (unique), what those take in the packs (stored), and what the packs take beyond that (garbage).
            """)
    @OptionGroup var server: DataOption

    func run() async throws { try await server.ask(.stats) }
}

/// `bothy server backup`
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy everything into a folder, as of one moment, while the server runs.",
        discussion: "Into the same folder again, only what is new is copied.")
    @Argument(help: "Where the backup lies.", completion: .directory) var folder: String
    @OptionGroup var server: DataOption

    func run() async throws { try await server.ask(.backup(folder: absolutePath(folder))) }
}

/// `bothy server export`
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write everyone's files out as plain files.",
        discussion: "Each account has a folder of its own. The folder must be empty, or not be there yet.")
    @Argument(help: "Where to.", completion: .directory) var folder: String
    @Option(help: ArgumentHelp("Only this account.", valueName: "email")) var user: String?
    @OptionGroup var server: DataOption

    func run() async throws { try await server.ask(.export(folder: absolutePath(folder), email: user)) }
}

/// `bothy server import`
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Take a folder of plain files into an account.")
    @Argument(help: "The folder.", completion: .directory) var folder: String
    @Option(help: ArgumentHelp("The account.", valueName: "email")) var user: String
    @Option(help: ArgumentHelp("Where to in the account's files.", valueName: "path")) var into = "/"
    @OptionGroup var server: DataOption

    func run() async throws {
        try await server.ask(.importFiles(folder: absolutePath(folder), email: user, into: into))
    }
}
