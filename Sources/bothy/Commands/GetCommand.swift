import ArgumentParser
import BothyClient
import BothyContract
import Foundation

/// `bothy get`
struct GetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Fetch files and folders from the server.",
        usage: "bothy get <remote>... [<local>]",
        discussion: """
            The last of several paths is where to on this machine: a folder, or with one source a new name. Without it, \
            things go into the current folder. “-” is standard output.

            A file appears under its name only when it is complete and its checksum is right. After a break, or Ctrl-C, \
            the same command goes on where it was. Files that are here already with the same content are not fetched; in \
            a folder, those of the same size and time are taken for the same without a look into them. \
            Where something else has the name, a terminal is asked. Without one, a file that was named as the target is \
            replaced, as cp would; in a folder, an older version of the file is replaced, and what the server does not \
            have is left alone (status 4; --replace, --keep-both).
            """)

    @Argument(help: "What to fetch, and last where to.", completion: RemoteNames.completion)
    var paths: [String]

    @Option(
        help: "Where to on this machine, said outright: all the other paths are then of the server.",
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
            throw Complaint.usage("--version goes with one file.", remedy: "Get them one by one.")
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
