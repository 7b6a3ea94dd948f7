import ArgumentParser
import BothyContract
import BothyServer
import Foundation
import Logging

/// `bothy server init`
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Make an empty data folder, and start nothing.",
        discussion: """
            For a server that is started with --existing: that one takes only a folder with data in it, so that the empty \
            folder below a disk that is not mounted never passes for a new server.
            """)

    @OptionGroup var server: DataOption

    private struct Made: Encodable {
        var data: String
    }

    func run() async throws {
        try await tellingFaults(json: server.json) {
            umask(0o077)
            let data = try server.folder()
            guard !data.isInUse else {
                throw ServerFault(.occupied, "\(data.path) has data of Bothy in it already. Nothing was changed.")
            }
            let config = try ConfigSources(file: nil, environment: [:], flags: [(.data, data.path)]).read()
            let silent = Logger(label: "bothy") { _ in SwiftLogNoOpLogHandler() }
            try await ServerServices.open(config, logger: silent).close()
            if server.json { return ServerOutput.line(try JSONText.line(Made(data: data.path))) }
            ServerOutput.line(TerminalText.safe("\(data.path) is ready, and empty."))
            ServerOutput.line("Start it with: bothy server --data \(data.path.asTyped) --existing")
        }
    }
}
