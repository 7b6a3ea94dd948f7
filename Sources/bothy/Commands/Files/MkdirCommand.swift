import ArgumentParser
import BothyClient
import BothyContract

/// `bothy mkdir`
struct MkdirCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "mkdir", abstract: "Create folders on the server.")

    @Argument(help: "The folders to create.", completion: RemoteNames.completion)
    var paths: [String]

    @Flag(name: .shortAndLong, help: "Create missing parent folders as well; no error if the folder exists.")
    var parents = false

    @OptionGroup var wait: WaitOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.using(ending: OfflineEnding(output: output, waits: wait.wait)) { home in
            try await EachPath.run(paths, json: output.json) { argument in
                let folder = try await make(argument.path, home)
                try output.tell("\(argument.path)/", FileDocument(folder, path: argument.path.text))
            }
        }
    }

    private func make(_ path: RemotePath, _ home: DeviceHome) async throws -> File {
        if parents { return try await home.files.makeFolders(at: path) }
        guard let name = path.name else {
            throw Complaint(.exists, "“/” always exists.", status: .notThereOrInConflict)
        }
        let parent = try await home.folder(
            at: path.parent, remedy: "Create it first, or use “bothy mkdir -p \(path.text.asTyped)”.")
        do {
            return try await home.files.makeFolder(named: name, in: parent.id)
        } catch let failure as ClientFailure where failure.code == .nameConflict {
            throw Complaint(
                .exists, "“\(path)” already exists.", remedy: "With -p an existing folder is no error.",
                status: .notThereOrInConflict)
        }
    }
}
