import ArgumentParser
import BothyServer
import Foundation

/// `bothy server restore`: without a server, for the folder is not one's yet.
struct RestoreServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Make a data folder from a backup.",
        discussion: """
            The data folder must be empty, or not be there yet. Start a server on it then; devices that saw what the
            backup does not know list everything again, and lose nothing that they have.
            """)
    @Argument(help: "The folder that “bothy server backup” was given.", completion: .directory) var folder: String
    @OptionGroup var server: DataOption

    func run() async throws {
        umask(0o077)
        try await tellingFaults {
            let data = try server.folder()
            do {
                let report = try await Restore(clock: SystemClock()).run(from: absolutePath(folder), to: data)
                ServerOutput.line("\(data.path) holds the backup now: the database, and \(ByteCount.text(report.copiedBytes)) of packs.")
                ServerOutput.line("“bothy server verify --data \(data.path)”, while a server runs on it, reads all of it once.")
            } catch let fault as ServerFault {
                throw fault
            } catch {
                throw ServerFault(.failed, AdminCommands.words(error))
            }
        }
    }
}
