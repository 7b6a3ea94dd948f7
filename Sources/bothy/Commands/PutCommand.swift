import ArgumentParser
import BothyClient
import BothyContract
import Foundation

/// `bothy put`
struct PutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Send files and folders to the server.",
        usage: "bothy put <local>... [<remote>]",
        discussion: """
            The last of several paths is where to, when it begins with “/”: a folder on the server, or with one source a \
            new name there. Without it, things go to “/”. “-” is standard input: “bothy put - /notes.txt”.

            Where the name is taken, the file gets a new version and the old one stays in its history; on a terminal you \
            are asked. Files that the server has already are not sent again; in a folder, those of the same size and time are \
            taken for the same without a look into them. After a break, or Ctrl-C, the same command \
            goes on where it was.

            What is sent at once is not copied. Without a connection, the home keeps a copy, so that the file may \
            change or go meanwhile; it is sent when there is a connection, and removed once the server has it. However \
            long that takes, it is kept, and “bothy journal” lists it. What comes in by “-” is kept until it is sent, too.
            """)

    @Argument(help: "What to send, and last where to.", completion: .file())
    var paths: [String]

    @Option(
        help: "Where to, said outright: all the other paths are then of this machine.",
        completion: RemoteNames.completion)
    var to: String?

    @OptionGroup var exists: ExistsOptions
    @OptionGroup var wait: WaitOptions
    @OptionGroup var transfer: TransferOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let arguments = try PutArguments(paths: paths, to: to)
        let policy = exists.policy(
            canAsk: Terminal().canAsk && !output.json && !arguments.isStandardInput, keepsHistory: true)
        try await TransferSession.run(output, transfer, waits: wait.wait) { session in
            let decider = ExistsDecider(policy: policy, display: session.display, keepsHistory: true)
            if arguments.isStandardInput {
                try await StandardInputPut(session: session, decider: decider).run(to: arguments.target.path)
            } else {
                let planner = PutPlanner(
                    session: session, decider: decider, target: arguments.target, several: arguments.sources.count > 1)
                try await planner.plan(arguments.sources)
            }
        }
    }
}
