import ArgumentParser
import BothyClient
import BothyContract

/// `bothy conflicts`
struct ConflictsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "List what was done here and met something else on the server.",
        discussion: "Nothing is lost meanwhile: “bothy resolve” decides.")

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.using { home in
            var table = Table([.init("NUMBER"), .init("SINCE"), .init("WHAT"), .init("WHY")])
            for operation in try await home.replica.conflicts() {
                let path = try await home.replica.path(of: operation.subject)
                if output.json {
                    try output.print(OperationDocument(operation, path: path))
                    continue
                }
                table.add([
                    String(operation.id), MomentText.text(operation.createdAt),
                    OperationWords(operation: operation, path: path).deed, operation.lastError?.words ?? "",
                ])
            }
            for conflict in try await FolderConflicts(home: home).all() {
                if output.json {
                    try output.print(conflict)
                    continue
                }
                table.add(["–", "–", conflict.path, conflict.message])
            }
            output.print(table)
        }
    }
}

/// `bothy resolve`
struct ResolveCommand: AsyncParsableCommand {
    enum Keeping: String, ExpressibleByArgument, CaseIterable {
        case mine, theirs, both, merge
    }

    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Decide a conflict.",
        discussion: """
            “mine” makes what was done here the newest; what is there stays in the file's history. “theirs” gives up what \
            was done here; its content is kept in the home, in content/trash. “both” puts it beside, under a name that \
            says where it is from. “merge” puts two texts together, from the version that both had; where they cannot be, \
            both are kept. It is for files in folders in step.
            """)

    @Argument(
        help: "A file on the server (/path), a number that “bothy conflicts” shows, or a file in a folder in step.")
    var file: String

    @Option(help: "mine, theirs, both or merge.")
    var keep: Keeping

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.using(ending: OfflineEnding(output: output)) { home in
            if try await FolderConflicts(home: home).resolve(file, keep: keep, output: output) { return }
            // What is there now is what is decided about.
            try await home.files.sendWhatWaits()
            let operation = try await found(home)
            let path = try await home.replica.path(of: operation.subject)
            try await home.replica.resolve(operation.id, try choice(operation, path, home))
            try await home.files.sendWhatWaits()
            try output.tell(
                "\(path?.text ?? file): \(keep.rawValue) is kept", OperationDocument(operation, path: path))
        }
    }

    private func found(_ home: DeviceHome) async throws -> JournalOperation {
        let conflicts = try await home.replica.conflicts()
        if let number = Int64(file), let operation = conflicts.first(where: { $0.id == number }) { return operation }
        if file.hasPrefix("/") {
            let path = try RemoteArgument(file).path
            for operation in conflicts where try await home.replica.path(of: operation.subject) == path {
                return operation
            }
            for operation in conflicts {
                guard case .upload(let parent, let name, _, _) = operation.action,
                    let folder = try await home.replica.path(of: parent), try folder.appending(name) == path
                else { continue }
                return operation
            }
        }
        throw Complaint(
            .notThere, "There is no conflict about “\(file)”.", remedy: "“bothy conflicts” lists what there is.",
            status: .notThereOrInConflict)
    }

    private func choice(
        _ operation: JournalOperation, _ path: RemotePath?, _ home: DeviceHome
    ) throws -> ConflictChoice {
        switch keep {
        case .mine: return .mine
        case .theirs: return .theirs
        case .merge:
            throw Complaint(
                .wrongUsage, "What was done on the server's files is not merged.",
                remedy: "Keep mine, theirs or both; texts in a folder in step can be merged.", status: .wrongUsage)
        case .both:
            let device = try home.account.signedIn()?.device.name ?? "this device"
            let name: String =
                switch operation.action {
                case .upload(_, let name, _, _), .createFolder(_, let name), .rename(let name): name
                case .move(_, let name?): name
                default: path?.name ?? file
                }
            return .both(name: ConflictName.of(name, from: device, on: operation.createdAt))
        }
    }
}
