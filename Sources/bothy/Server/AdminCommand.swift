import ArgumentParser
import BothyServer
import Foundation

/// Which server a command is for: the one that runs on this data folder.
struct DataOption: ParsableArguments {
    @Option(help: ArgumentHelp("The server's data folder.", valueName: "folder"), completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp("The server's settings file, if it names the folder.", valueName: "file"),
        completion: .file()
    )
    var config: String?

    @Flag(help: "Print JSON: one object a line (docs/json.md has the shapes).")
    var json = false

    func folder() throws -> DataFolder {
        let flags = data.map { [(key: ConfigKey.data, value: $0)] } ?? []
        let environment = ProcessInfo.processInfo.environment
        return DataFolder(path: try ConfigSources(file: config, environment: environment, flags: flags).read().data)
    }

    /// Asks the server, and shows what it says.
    func ask(_ request: @autoclosure () throws -> AdminRequest) async throws {
        try await tellingFaults(json: json) {
            try await AdminClient(try folder()).run(try request()) { line in
                if let text = json ? line.document.map(JSONText.harmless) : line.words.map(TerminalText.safeLines) {
                    ServerOutput.line(text)
                }
            }
        }
    }
}

/// A path on this machine as the server, which may stand in another folder, finds it.
func absolutePath(_ path: String) -> String { URL(fileURLWithPath: path).path }
