import ArgumentParser
import BothyServer
import Foundation

/// Which server a command is for: the one that runs on this data folder.
struct DataOption: ParsableArguments {
    @Option(help: ArgumentHelp("The data folder of the server.", valueName: "folder"), completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp("The server's settings, where they name the folder.", valueName: "file"), completion: .file()
    )
    var config: String?

    func folder() throws -> DataFolder {
        let flags = data.map { [(key: ConfigKey.data, value: $0)] } ?? []
        let environment = ProcessInfo.processInfo.environment
        return DataFolder(path: try ConfigSources(file: config, environment: environment, flags: flags).read().data)
    }

    /// Asks the server, and shows what it says.
    func ask(_ request: @autoclosure () throws -> AdminRequest) async throws {
        try await tellingFaults {
            try await AdminClient(try folder()).run(try request()) { ServerOutput.line($0) }
        }
    }
}

/// A path on this machine as the server, which may stand in another folder, finds it.
func absolutePath(_ path: String) -> String { URL(fileURLWithPath: path).path }
