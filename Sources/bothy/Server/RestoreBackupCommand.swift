import ArgumentParser
import BothyContract
import BothyServer
import Foundation

/// `bothy server restore`
struct RestoreBackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore a backup into a new data folder.",
        discussion: """
            The folder must be empty or not exist. Devices compare everything with the restored server again: files that are \
            newer than the backup are neither lost nor deleted there.
            """)

    @Argument(help: "The backup folder.", completion: .directory) var folder: String
    @OptionGroup var server: DataOption

    private struct Restored: Encodable {
        var data: String
        var copiedBytes: Int64
        /// Packs that the backup lacks, or has only the beginning of.
        var lacking: [String]
    }

    func run() async throws {
        try await tellingFaults(json: server.json) {
            umask(0o077)
            let data = try server.folder()
            let report = try await AdminCommands.inWords {
                try await Restore(clock: SystemClock()).run(from: absolutePath(folder), to: data)
            }
            if server.json {
                ServerOutput.line(
                    try JSONText.line(
                        Restored(data: data.path, copiedBytes: report.copiedBytes, lacking: report.lacking)))
            } else {
                let copied = ByteCount.text(report.copiedBytes)
                ServerOutput.line(TerminalText.safe("The backup was restored to \(data.path) (\(copied) of blocks)."))
                ServerOutput.line("Start it with: bothy server --data \(data.path.asTyped)")
            }
            guard let first = report.lacking.first else { return }
            let others = report.lacking.count == 1 ? "" : " and \(report.lacking.count - 1) more"
            throw ServerFault(
                .partly,
                "The backup lacks all or the end of “packs/\(first)”\(others). The content in it cannot be served. "
                    + "Start the server; then “bothy server verify --data \(data.path.asTyped)” lists the files.")
        }
    }
}
