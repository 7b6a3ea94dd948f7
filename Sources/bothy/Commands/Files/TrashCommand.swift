import ArgumentParser
import BothyClient
import BothyContract
import BothySync

/// `bothy trash`
struct TrashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash",
        abstract: "List, restore or empty the trash.",
        discussion: """
            Files that “bothy rm” removes stay in the trash for 30 days. “--local” is the trash on this machine: files that \
            sync deleted or replaced here, and changes that were discarded before they were sent.
            """,
        subcommands: [List.self, PutBack.self, Empty.self], defaultSubcommand: List.self)

    /// Everything in the trash; bounded by what a person threw away in 30 days.
    private static func everything(_ home: DeviceHome) async throws -> [File] {
        var files: [File] = []
        for try await page in home.files.listTrash() { files += page }
        return files
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List what is in the trash.")

        @Flag(help: "The trash on this machine.")
        var local = false

        @OptionGroup var output: OutputOptions

        func run() async throws {
            if local {
                return try await Home.using {
                    try await LocalTrash(home: $0, output: output).list()
                }
            }
            let table = try await Home.using { home -> Table? in
                let files = try await TrashCommand.everything(home)
                if output.json {
                    try files.forEach { try output.print(FileDocument($0, path: nil)) }
                    return nil
                }
                return try await Self.table(of: files, in: home)
            }
            guard let table else { return }
            output.print(table)
            if table.isEmpty { output.note("The trash is empty.") }
        }

        private static func table(of files: [File], in home: DeviceHome) async throws -> Table {
            let ids = files.map(\.id)
            var finder = RemotePathFinder(home: home)
            var table = Table([
                .init("ID"), .init("SIZE", right: true), .init("THROWN AWAY"), .init("NAME"), .init("WAS IN"),
            ])
            for file in files {
                table.add([
                    ShortId.of(file.id, among: ids), file.isFolder ? "–" : ByteText.text(file.size),
                    MomentText.text(file.updatedAt), file.isFolder ? file.name + "/" : file.name,
                    try await finder.path(ofFolder: file.parentId ?? File.rootId) ?? "–",
                ])
            }
            return table
        }
    }

    struct PutBack: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "put-back", abstract: "Restore files and folders to where they were.",
            discussion:
                "Parent folders that are in the trash are restored too. If the name is taken, a number is added.")

        @Argument(
            help:
                "Names, former paths, or ids as “bothy trash” shows them; with --local ids, or paths on the server."
        )
        var names: [String]

        @Flag(help: "From the trash on this machine.")
        var local = false

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Home.using(ending: OfflineEnding(output: output)) { home in
                if local {
                    let trash = LocalTrash(home: home, output: output)
                    for name in names { try await trash.putBack(name) }
                    return
                }
                let files = try await TrashCommand.everything(home)
                var found = [File]()
                for name in names { found.append(try await Self.find(name, in: files, home)) }
                for file in found {
                    let back = try await home.files.untrash(file.id)
                    try output.tell("“\(back.name)” is restored.", FileDocument(back, path: nil))
                }
            }
        }

        private static func find(_ typed: String, in files: [File], _ home: DeviceHome) async throws -> File {
            let named = try await TrashCommand.named(typed, in: files, home)
            if named.count == 1 { return named[0] }
            if case .one(let index) = ShortId.find(typed, in: files.map(\.id)) { return files[index] }
            guard named.isEmpty else {
                throw Complaint(
                    .ambiguous, "“\(typed)” is in the trash \(named.count) times.",
                    remedy: "Give the id that “bothy trash” shows.", status: .wrongUsage)
            }
            throw Complaint(
                .notThere, "There is no “\(typed)” in the trash.", remedy: "“bothy trash” lists what is in it.",
                status: .notThereOrInConflict)
        }
    }

    private static func named(_ typed: String, in files: [File], _ home: DeviceHome) async throws -> [File] {
        // No name has a slash in it: a path is the one that a thing had before it went.
        guard typed.contains("/") else { return files.filter { $0.name == typed } }
        let path = try RemoteArgument(typed).path
        var finder = RemotePathFinder(home: home)
        var found = [File]()
        for file in files where file.name == path.names.last {
            let folder = try await finder.path(ofFolder: file.parentId ?? File.rootId)
            if folder.map({ ($0 == "/" ? "" : $0) + "/" + file.name }) == path.text { found.append(file) }
        }
        return found
    }

    struct Empty: AsyncParsableCommand {
        private struct Document: Encodable {
            var deleted: Int
        }

        static let configuration = CommandConfiguration(
            commandName: "empty",
            abstract: "Delete everything in the trash for good.",
            discussion: "This cannot be undone; in a terminal you are asked first.")

        @Flag(help: "The trash on this machine.")
        var local = false

        @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
        var yes = false

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let count = try await local ? emptiedHere() : emptied()
            try output.tell(
                count == 0
                    ? "The trash is already empty."
                    : "\(RestoreWords.things(count)) \(count == 1 ? "is" : "are") deleted for good.",
                Document(deleted: count))
        }

        private func emptiedHere() async throws -> Int {
            try await Home.using { home in
                let trash = LocalTrash(home: home, output: output)
                return try await trash.empty {
                    if !yes {
                        try Confirmation.ask("Delete \(RestoreWords.things($0)) in the trash on this machine for good?")
                    }
                }
            }
        }

        private func emptied() async throws -> Int {
            try await Home.using(ending: OfflineEnding(output: output)) { home in
                let files = try await TrashCommand.everything(home)
                guard !files.isEmpty else { return 0 }
                if !yes { try Confirmation.ask("Delete \(RestoreWords.things(files.count)) in the trash for good?") }
                for file in files { try await delete(file, home) }
                return files.count
            }
        }

        private func delete(_ file: File, _ home: DeviceHome) async throws {
            do {
                try await home.files.deletePermanently(file.id)
            } catch let failure as ClientFailure where failure.code == .notFound {
                // It went with a folder that was deleted just before.
            }
        }
    }
}
