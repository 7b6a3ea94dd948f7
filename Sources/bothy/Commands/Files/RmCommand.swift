import ArgumentParser
import BothyClient
import BothyContract
import BothySync

/// `bothy rm`
struct RmCommand: AsyncParsableCommand {
    private struct Document: Encodable {
        var path: String
        var id: String
        var trashed: Bool
        var deleted: Bool
    }

    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Move files and folders on the server to the trash.",
        discussion: """
            A folder is removed with its content. The trash keeps files for 30 days: “bothy trash” lists and restores them.
            """)

    @Argument(help: "What to remove.", completion: RemoteNames.completion)
    var paths: [String]

    @Flag(help: "Delete for good, with every version. This cannot be undone; in a terminal you are asked first.")
    var permanently = false

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var wait: WaitOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        if permanently, !yes {
            try Confirmation.ask("Delete \(paths.joined(separator: ", ")) for good, with every version?")
        }
        try await Home.using(ending: OfflineEnding(output: output, waits: wait.wait)) { home in
            try await EachPath.run(paths, json: output.json) { argument in
                try SourcesAndTarget.refuseRoot(argument.path, "removed")
                // The cursor is taken before looking: what changes after it was not seen by this person.
                let cursor = try await home.files.cursor()
                let file = try await home.files.file(at: argument.path)
                if argument.saysFolder, !file.isFolder {
                    throw Complaint(
                        .notAFolder, "“\(argument.path)” is a file, not a folder.", status: .notThereOrInConflict)
                }
                if permanently { try home.requireOnServer(file, at: argument.path) }
                try await remove(file, seenAt: cursor, home)
                try output.tell(
                    "\(argument.path) \(words(file, at: argument.path))",
                    Document(path: argument.path.text, id: file.id, trashed: !permanently, deleted: permanently))
            }
        }
    }

    private func words(_ file: File, at path: RemotePath) -> String {
        if permanently { return "is deleted for good" }
        guard file.isOnlyHere else {
            return "is in the trash; “bothy trash put-back \(path.text.asTyped)” restores it"
        }
        let back = RemedyWords.filled("“bothy trash put-back --local FILE” restores it", folder: "/", file: path.text)
        let way = file.isFolder ? "“bothy trash --local” lists its files" : back
        return "was never sent, and is discarded; for 30 days \(way)"
    }

    private func remove(_ file: File, seenAt cursor: String?, _ home: DeviceHome) async throws {
        let folderCursor = file.isFolder ? cursor : nil
        let base = file.isFolder ? nil : file.headRevisionId
        if permanently {
            try await home.files.deletePermanently(file.id, asOf: folderCursor, baseRevisionId: base)
        } else {
            try await home.files.trash(file.id, asOf: folderCursor, baseRevisionId: base)
        }
    }
}
