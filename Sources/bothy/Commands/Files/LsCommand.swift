import ArgumentParser
import BothyClient
import BothyContract

/// `bothy ls`
struct LsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "List folders on the server.")

    @Argument(help: "Folders or files on the server.", completion: RemoteNames.completion)
    var paths: [String] = ["/"]

    @Flag(name: .shortAndLong, help: "Show sizes, times and flags.")
    var long = false

    @Flag(name: [.short, .customShort("R"), .long], help: "List subfolders as well.")
    var recursive = false

    @Flag(name: .shortAndLong, help: "Show hidden files too.")
    var all = false

    @Flag(help: "List starred files in the given folders and all their subfolders, by path.")
    var starred = false

    @Option(help: "name, modifiedAt or size; a minus before it reverses the order. Folders come first.")
    var sort: FileOrder?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard starred else { return }
        if recursive {
            throw ValidationError("“--starred” already includes subfolders; leave out “--recursive”.")
        }
        if sort != nil { throw ValidationError("“--starred” lists by name; leave out “--sort”.") }
    }

    func run() async throws {
        if starred { return try await listStarred() }
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
            if isEmpty, !recursive { output.note("“\(path)” is empty.") }
        }
    }

    /// What has a star is shown with its `-a` or without: the person who gave it wants to see it.
    private func listStarred() async throws {
        try await Home.using(ending: OfflineEnding(output: output)) { home in
            var finder = RemotePathFinder(home: home)
            var shown = [Shown]()
            for try await page in home.files.listStarred() {
                for file in page {
                    guard let path = try await finder.path(ofId: file.parentId ?? File.rootId) else { continue }
                    shown.append(Shown(file: file, path: Self.path(of: file, in: try RemotePath(path))))
                }
            }
            try await EachPath.run(paths, json: output.json) { argument in
                let folder = try await home.files.file(at: argument.path)
                let below = shown.filter {
                    folder.parentId == nil || $0.path == argument.path.text
                        || $0.path.hasPrefix(argument.path.text + "/")
                }
                try show(below, as: \.path)
                if below.isEmpty { output.note("Nothing in “\(argument.path)” is starred.") }
            }
        }
    }

    private struct Shown {
        var file: File
        var path: String
        var name: String { file.name }
    }

    private func show(_ files: [File], in folder: RemotePath) throws {
        try show(files.map { Shown(file: $0, path: Self.path(of: $0, in: folder)) }, as: \.name)
    }

    /// - Parameter name: what a thing is called in the list.
    private func show(_ things: [Shown], as name: KeyPath<Shown, String>) throws {
        func called(_ thing: Shown) -> String { thing[keyPath: name] + (thing.file.isFolder ? "/" : "") }
        if output.json {
            for thing in things { try output.print(FileDocument(thing.file, path: thing.path)) }
        } else if long {
            var table = Table([.init(""), .init("", right: true), .init(""), .init("")])
            for thing in things {
                let file = thing.file
                table.add([
                    Self.marks(file), file.isFolder ? "–" : ByteText.text(file.size), MomentText.text(file.modifiedAt),
                    called(thing),
                ])
            }
            output.print(table)
        } else {
            for thing in things { output.print(line: called(thing)) }
        }
    }

    private static func path(of file: File, in folder: RemotePath) -> String {
        file.parentId == nil ? "/" : (folder.isRoot ? "" : folder.text) + "/" + file.name
    }

    private static func marks(_ file: File) -> String {
        (file.starred ? "★" : "-") + (file.executable ? "x" : "-") + (file.hidden ? "h" : "-")
    }
}

extension FileOrder: ExpressibleByArgument {}
