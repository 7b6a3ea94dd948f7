import ArgumentParser
import BothyClient
import BothyContract

/// `bothy cp`
struct CpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cp",
        abstract: "Copy files and folders on the server.",
        usage: "bothy cp <source>... <target>",
        discussion: "Copies are made on the server at once: nothing is transferred, and no space is used.")

    @Argument(
        help: "What to copy, and the target: a folder or, for a single source, a new name.",
        completion: RemoteNames.completion)
    var paths: [String]

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let (sources, target) = try SourcesAndTarget.split(paths)
        try await Home.using { home in
            try await EachPath.run(sources, json: output.json) { source in
                let file = try await home.files.file(at: source.path)
                let destination = try await RemoteDestination(
                    of: source.path, to: target, several: sources.count > 1, home)
                let path = try destination.path()
                let copy = try await FolderCopy(home: home).copy(
                    file, from: source.path, into: destination.folder, at: path)
                try output.tell("\(source.path) → \(path)", FileDocument(copy, path: path.text))
            }
        }
    }
}
