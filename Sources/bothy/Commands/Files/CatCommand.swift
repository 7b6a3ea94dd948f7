import ArgumentParser
import BothyClient
import BothyContract

/// `bothy cat`
struct CatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat",
        abstract: "Write files on the server to standard output.",
        discussion:
            "The content is written unchanged, and its checksum is verified at the end. A mismatch ends with status 1."
    )

    @Argument(help: "Files on the server.", completion: RemoteNames.completion)
    var paths: [String]

    @Option(help: "An older version, as “bothy history” shows it.")
    var version: String?

    @OptionGroup var transfer: TransferOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        var arguments: [RemoteArgument] = []
        for path in paths { arguments.append(try RemoteArgument(path)) }
        try await Self.write(arguments, version: version, transfer)
    }

    static func write(_ sources: [RemoteArgument], version: String?, _ options: TransferOptions) async throws {
        try await Interruption.guarding {
            try await Home.using { home in
                options.apply(to: home)
                // What is read goes to standard output, so complaints are in words.
                try await EachPath.run(sources, json: false) { source in
                    let file = try await home.plainFile(
                        at: source.path, remedy: "Download it into a folder: “bothy get \(source.path.text.asTyped) .”."
                    )
                    let revision: FileRevision? =
                        if let version { try await home.version(version, of: file, at: source.path) } else { nil }
                    try await StandardOutput.write(file, revisionId: revision?.revisionId, from: home)
                }
            }
        }
    }
}
