import ArgumentParser
import BothyClient

/// `bothy star`
struct StarCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "star", abstract: "Mark files and folders with a star, or take it away.")

    @Argument(help: "Files and folders on the server.", completion: RemoteNames.completion)
    var paths: [String]

    @Flag(help: "Take the star away.")
    var remove = false

    @OptionGroup var wait: WaitOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.using(ending: OfflineEnding(output: output, waits: wait.wait)) { home in
            try await EachPath.run(paths, json: output.json) { argument in
                try SourcesAndTarget.refuseRoot(argument.path, "given a star")
                let file = try await home.files.file(at: argument.path)
                let marked = try await home.files.setStarred(!remove, file.id)
                try output.tell(
                    "\(argument.path) \(remove ? "has no star now" : "has a star")",
                    FileDocument(marked, path: argument.path.text))
            }
        }
    }
}
