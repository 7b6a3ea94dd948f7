import ArgumentParser
import BothyClient
import BothyContract

/// `bothy pin`
struct PinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Keep files and folders on this device, for times without a connection.",
        discussion: "Without a path, what is pinned is listed, and brought up to date.")

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
                        ? "\(argument.path) is kept on this device; what of it is not here is fetched when there is a connection"
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
        commandName: "unpin", abstract: "Keep files and folders on this device no longer than there is a use for them.",
        discussion: """
            With --free, the room is given back at once of all content that is here without being pinned; it is fetched again \
            when it is opened. What waits to be sent stays.
            """)

    @Argument(help: "Files and folders on the server.", completion: RemoteNames.completion)
    var paths: [String] = []

    @Flag(help: "Give back the room of what is not pinned, now.")
    var free = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if paths.isEmpty, !free { throw ValidationError("Say what to unpin, or --free.") }
    }

    func run() async throws {
        try await unpin()
        guard free else { return }
        let freed = try await Home.using { try await $0.replica.freeRoom() }
        try output.tell(
            freed == 0
                ? "There was nothing to give back: all content here is pinned, or waits to be sent."
                : "\(ByteText.text(freed)) given back; what it was is fetched again when it is opened.",
            FreedDocument(freed: freed))
    }

    private func unpin() async throws {
        guard !paths.isEmpty else { return }
        try await Home.using(ending: OfflineEnding(output: output)) { home in
            try await EachPath.run(paths, json: output.json) { argument in
                guard try await home.replica.unpin(try await home.known(argument.path)) else {
                    throw Complaint(
                        .notThere, "“\(argument.path)” is not pinned itself.",
                        remedy: "“bothy pin” lists what is.", status: .notThereOrInConflict)
                }
                try output.tell("\(argument.path) is kept no longer", PinDocument(path: argument.path.text))
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
