import ArgumentParser
import BothyClient
import BothyContract

/// `bothy pin`
struct PinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Keep files and folders on this device for offline use.",
        discussion: "Without a path, the pinned files are listed and brought up to date.")

    @Argument(help: "Files and folders on the server.", completion: RemoteNames.completion)
    var paths: [String] = []

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.using(ending: OfflineEnding(output: output)) { home in
            try await EachPath.run(paths, json: output.json) { argument in
                let luid = try await home.known(argument.path)
                try await home.replica.pin(luid)
                try output.tell(
                    home.files.isOffline
                        ? "\(argument.path) is kept on this device; missing content is downloaded when there is a connection"
                        : "\(argument.path) is kept on this device", PinDocument(path: argument.path.text))
            }
            if !home.files.isOffline {
                try await home.replica.pull()
                try await home.replica.fetchPinned()
            }
            guard paths.isEmpty else { return }
            for luid in try await home.replica.pins() {
                guard let path = try await home.replica.path(of: luid) else { continue }
                try output.tell(path.text, PinDocument(path: path.text))
            }
        }
    }
}

/// `bothy unpin`
struct UnpinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin", abstract: "Stop keeping files and folders on this device.",
        discussion: """
            With --free, all content that is not pinned is removed at once; it is downloaded again when it is opened. \
            Changes not yet sent stay.
            """)

    @Argument(help: "Files and folders on the server.", completion: RemoteNames.completion)
    var paths: [String] = []

    @Flag(help: "Free the space of all content that is not pinned.")
    var free = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if paths.isEmpty, !free { throw ValidationError("Name what to unpin, or use --free.") }
    }

    func run() async throws {
        try await unpin()
        guard free else { return }
        let freed = try await Home.using { try await $0.replica.freeRoom() }
        try output.tell(
            freed == 0
                ? "There was nothing to free: all content here is pinned or waiting to be sent."
                : "\(ByteText.text(freed)) freed. This content is downloaded again when it is opened.",
            FreedDocument(freed: freed))
    }

    private func unpin() async throws {
        guard !paths.isEmpty else { return }
        try await Home.using(ending: OfflineEnding(output: output)) { home in
            try await EachPath.run(paths, json: output.json) { argument in
                guard try await home.replica.unpin(try await home.known(argument.path)) else {
                    throw Complaint(
                        .notThere, "“\(argument.path)” is not pinned itself.",
                        remedy: "“bothy pin” lists what is pinned.", status: .notThereOrInConflict)
                }
                try output.tell("\(argument.path) is no longer pinned", PinDocument(path: argument.path.text))
            }
        }
    }
}

private struct PinDocument: Encodable {
    var path: String
}

private struct FreedDocument: Encodable {
    /// Bytes.
    var freed: Int64
}

extension DeviceHome {
    /// What this device calls the thing at a path.
    func known(_ path: RemotePath) async throws -> LUID {
        let file = try await files.file(at: path)
        if !files.isOffline { try await replica.pull() }
        return try await replica.luid(of: file.id)
    }
}
