import ArgumentParser
import BothyServer

/// `bothy server gc`
struct GCCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gc", abstract: "Free the space of data that is no longer used.",
        discussion: "Mostly unused packs are rewritten, at 16 MiB a second. The server keeps running.")
    @OptionGroup var server: DataOption

    func run() async throws { try await server.ask(.gc) }
}

/// `bothy server verify`
struct VerifyStoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify all stored data, and list damaged files.",
        discussion: """
            Exit status 1 if something is damaged. “bothy verify” does the same for the files on a device.
            """)
    @OptionGroup var server: DataOption

    func run() async throws { try await server.ask(.verify) }
}

/// `bothy server stats`
struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show storage statistics.",
        discussion: """
            In total and for each account: the size of all versions (logical), their deduplicated blocks (unique), the space \
            of these in the packs (stored), and unused space in the packs (garbage).
            """)
    @OptionGroup var server: DataOption

    func run() async throws { try await server.ask(.stats) }
}

/// `bothy server backup`
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Back up everything to a folder while the server runs.",
        discussion: "The backup is consistent. A backup to the same folder again copies only what is new.")
    @Argument(help: "The backup folder.", completion: .directory) var folder: String
    @OptionGroup var server: DataOption

    func run() async throws { try await server.ask(.backup(folder: absolutePath(folder))) }
}

/// `bothy server export`
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export everyone's files as plain files.",
        discussion: "Each account gets its own folder. The target folder must be empty or not exist.")
    @Argument(help: "The target folder.", completion: .directory) var folder: String
    @Option(help: ArgumentHelp("Only this account.", valueName: "email")) var user: String?
    @OptionGroup var server: DataOption

    func run() async throws { try await server.ask(.export(folder: absolutePath(folder), email: user)) }
}

/// `bothy server import`
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import a folder of plain files into an account.")
    @Argument(help: "The folder to import.", completion: .directory) var folder: String
    @Option(help: ArgumentHelp("The account.", valueName: "email")) var user: String
    @Option(help: ArgumentHelp("The target folder in the account.", valueName: "path")) var into = "/"
    @OptionGroup var server: DataOption

    func run() async throws {
        try await server.ask(.importFiles(folder: absolutePath(folder), email: user, into: into))
    }
}
