import ArgumentParser
import BothyClient
import BothyContract

/// `bothy ls`
struct LsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "List folders on the server.")

    @Argument(help: "Folders or files on the server.", completion: RemoteNames.completion)
    var paths: [String] = ["/"]

    @Flag(name: .shortAndLong, help: "Show sizes, times and marks.")
    var long = false

    @Flag(name: [.short, .customShort("R"), .long], help: "Show what lies in the folders below too.")
    var recursive = false

    @Flag(name: .shortAndLong, help: "Show hidden files too.")
    var all = false

    @Option(help: "name, modifiedAt or size; with a minus before it, the other way round. Folders come first.")
    var sort: FileOrder?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.using(ending: OfflineEnding(output: output)) { home in
            try await EachPath.run(paths, json: output.json) { argument in
                let file = try await home.files.file(at: argument.path)
                guard file.isFolder else { return try show([file], in: argument.path.parent) }
                try await list(file, argument.path, home)
            }
        }
    }

    /// Folder by folder, each page as it comes: a folder of any size is never held whole.
    private func list(_ folder: File, _ path: RemotePath, _ home: DeviceHome) async throws {
        var waiting = [(folder, path)]
        var isFirst = true
        while let (folder, path) = waiting.popLast() {
            if (recursive || paths.count > 1), !output.json {
                Terminal().writeOutput((isFirst ? "" : "\n") + TerminalText.safe(path.text) + ":\n")
                isFirst = false
            }
            var below: [(File, RemotePath)] = []
            var isEmpty = true
            for try await page in home.files.list(folder.id, order: sort) {
                let shown = page.filter { all || !$0.hidden }
                try show(shown, in: path)
                isEmpty = isEmpty && shown.isEmpty
                guard recursive else { continue }
                for child in shown where child.isFolder { below.append((child, try path.appending(child.name))) }
            }
            waiting += below.reversed()
            if isEmpty, !recursive { output.note("There is nothing in “\(path)”.") }
        }
    }

    private func show(_ files: [File], in folder: RemotePath) throws {
        if output.json {
            for file in files { try output.print(FileDocument(file, path: Self.path(of: file, in: folder))) }
        } else if long {
            var table = Table([.init(""), .init("", right: true), .init(""), .init("")])
            for file in files {
                table.add([
                    Self.marks(file), file.isFolder ? "–" : ByteText.text(file.size), MomentText.text(file.modifiedAt),
                    Self.name(file),
                ])
            }
            output.print(table)
        } else {
            for file in files { Terminal().writeOutput(TerminalText.safe(Self.name(file)) + "\n") }
        }
    }

    private static func path(of file: File, in folder: RemotePath) -> String {
        file.parentId == nil ? "/" : (folder.isRoot ? "" : folder.text) + "/" + file.name
    }

    private static func name(_ file: File) -> String { file.isFolder ? file.name + "/" : file.name }

    private static func marks(_ file: File) -> String {
        (file.starred ? "★" : "-") + (file.executable ? "x" : "-") + (file.hidden ? "h" : "-")
    }
}

extension FileOrder: ExpressibleByArgument {}
