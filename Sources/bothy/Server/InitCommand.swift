import ArgumentParser
import BothyContract
import BothyServer
import Foundation
import Logging

/// `bothy server init`
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Create an empty data folder without starting the server.",
        discussion: """
            Use it for a server that is started with --existing, which accepts only a folder with data in it. So an unmounted \
            disk's empty folder is never mistaken for a new server.
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
                throw ServerFault(.occupied, "\(data.path) already has Bothy data in it. Nothing was changed.")
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
