import ArgumentParser
import BothyClient
import BothyContract

/// `bothy stat`
struct StatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stat", abstract: "Show details of files and folders on the server.")

    @Argument(help: "Files and folders on the server.", completion: RemoteNames.completion)
    var paths: [String]

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.using(ending: OfflineEnding(output: output)) { home in
            try await EachPath.run(paths, json: output.json) { argument in
                let file = try await home.files.file(at: argument.path)
                if output.json { return try output.print(FileDocument(file, path: argument.path.text)) }
                output.print(Self.table(file, argument.path))
            }
        }
    }

    private static func table(_ file: File, _ path: RemotePath) -> Table {
        var table = Table([.init(""), .init("")])
        table.add(["path", path.text])
        table.add(["kind", file.isFolder ? "folder" : file.mimeType])
        if !file.isFolder {
            table.add(["size", "\(ByteText.text(file.size)) (\(file.size) bytes)"])
            table.add(["SHA-256", file.checksum?.hex ?? "–"])
        }
        table.add(["modified", file.modifiedAt.rfc3339])
        table.add(["created", file.createdAt.rfc3339])
        table.add(["changed on the server", file.updatedAt.rfc3339])
        table.add(["marks", marks(file)])
        table.add(["version", String(file.version)])
        table.add(["id", file.id])
        return table
    }

    private static func marks(_ file: File) -> String {
        let marks = [
            file.starred ? "starred" : nil, file.hidden ? "hidden" : nil, file.executable ? "executable" : nil,
            file.trashed ? "in the trash" : nil,
        ].compactMap { $0 }
        return marks.isEmpty ? "none" : marks.joined(separator: ", ")
    }
}
