import ArgumentParser
import BothyClient
import BothyContract

/// `bothy mv`
struct MvCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mv",
        abstract: "Move or rename files and folders on the server.",
        usage: "bothy mv <source>... <target>",
        discussion: "Nothing is transferred, and files keep their history.")

    @Argument(
        help: "What to move, and the target: a folder or, for a single source, a new name.",
        completion: RemoteNames.completion)
    var paths: [String]

    @OptionGroup var wait: WaitOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let (sources, target) = try SourcesAndTarget.split(paths)
        try await Home.using(ending: OfflineEnding(output: output, waits: wait.wait)) { home in
            try await EachPath.run(sources, json: output.json) { source in
                let file = try await home.files.file(at: source.path)
                let destination = try await RemoteDestination(
                    of: source.path, to: target, several: sources.count > 1, home)
                let path = try destination.path()
                if path != source.path { try SourcesAndTarget.refuseIntoItself(file, from: source.path, to: path) }
                let moved: File
                do {
                    moved = try await home.files.move(
                        file.id, to: destination.folder.id == file.parentId ? nil : destination.folder.id,
                        as: destination.name == file.name ? nil : destination.name)
                } catch let failure as ClientFailure where failure.code == .nameConflict {
                    throw SourcesAndTarget.taken(path)
                }
                try output.tell("\(source.path) → \(path)", FileDocument(moved, path: path.text))
            }
        }
    }
}
