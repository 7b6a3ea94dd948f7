import ArgumentParser
import BothyClient
import BothyContract
import Foundation

/// `bothy put`
struct PutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Upload files and folders to the server.",
        usage: "bothy put <local>... [<remote>]",
        discussion: """
            The last of several paths is the target if it begins with “/”: a folder on the server or, for a single source, \
            a new name there. Without a target, files go to “/”. “-” is standard input: “bothy put - /notes.txt”.

            If the name is taken, the file gets a new version and the old one stays in its history; in a terminal you \
            are asked. Files that the server already has are not uploaded again; in a folder, files of the same size and \
            time count as the same without being read. After an interruption, run the same command again to resume.

            Without a connection, this device keeps a copy of the file, so that you may change or delete the original. The \
            copy is uploaded when there is a connection, and removed once the server has it. “bothy journal” lists these \
            copies. Standard input is also kept until it is uploaded.
            """)

    @Argument(help: "What to upload, and optionally the target.", completion: .file())
    var paths: [String]

    @Option(
        help: "The target on the server; all other paths are then on this machine.",
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
