import ArgumentParser
import BothyClient
import BothyContract
import Foundation

/// `bothy get`
struct GetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Download files and folders from the server.",
        usage: "bothy get <remote>... [<local>]",
        discussion: """
            The last of several paths is the target on this machine: a folder or, for a single source, a new name. Without \
            a target, files go into the current folder. “-” is standard output.

            A file appears under its name only when it is complete and its checksum is verified. After an interruption, \
            run the same command again to resume. Files that are already here with the same content are not downloaded; in \
            a folder, files of the same size and time count as the same without being read. \
            When the name is taken by something else, you are asked in a terminal. Without a terminal, a file that you \
            named as the target is replaced, as cp would; in a folder, an older version of the file is replaced, and \
            content that the server does not have is left alone (status 4; --replace, --keep-both).
            """)

    @Argument(help: "What to download, and optionally the target.", completion: RemoteNames.completion)
    var paths: [String]

    @Option(
        help: "The target on this machine; all other paths are then on the server.",
        completion: .file())
    var to: String?

    @Option(help: "An older version, as “bothy history” shows it.")
    var version: String?

    @OptionGroup var exists: ExistsOptions
    @OptionGroup var transfer: TransferOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let arguments = try GetArguments(paths: paths, to: to)
        if arguments.isStandardOutput {
            return try await CatCommand.write(arguments.sources, version: version, transfer)
        }
        if version != nil, arguments.sources.count > 1 {
            throw Complaint.usage("--version works with one file.", remedy: "Download them one by one.")
        }
        let policy = exists.policy(canAsk: Terminal().canAsk && !output.json, keepsHistory: false)
        try await TransferSession.run(output, transfer) { session in
            let decider = ExistsDecider(policy: policy, display: session.display, keepsHistory: false)
            let begun = try await session.home.transfers.begunDownloads()
            try await GetPlanner(
                session: session, decider: decider, arguments: arguments, version: version, begun: begun
            ).plan()
        }
    }
}
