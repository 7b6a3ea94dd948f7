import ArgumentParser
import BothyClient
import BothyContract

/// `bothy mkdir`
struct MkdirCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "mkdir", abstract: "Make folders on the server.")

    @Argument(help: "The folders to make.", completion: RemoteNames.completion)
    var paths: [String]

    @Flag(name: .shortAndLong, help: "Make missing folders above too; it is fine if the folder is there.")
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
            throw Complaint(.exists, "“/” is always there.", status: .notThereOrInConflict)
        }
        let parent = try await home.folder(
            at: path.parent, remedy: "Make it first, or use “bothy mkdir -p \(path.text.asTyped)”.")
        do {
            return try await home.files.makeFolder(named: name, in: parent.id)
        } catch let failure as ClientFailure where failure.code == .nameConflict {
            throw Complaint(
                .exists, "“\(path)” is there already.", remedy: "With -p that is fine, when it is a folder.",
                status: .notThereOrInConflict)
        }
    }
}
