import ArgumentParser
import BothyClient
import CShims
import Foundation

/// Runs the command that was typed, and turns whatever it ends with into words and a number.
@main
enum Main {
    /// On the first thread, before there is another with a heap of its own.
    @MainActor
    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        let arguments = typed
        if !isLasting(arguments) { bothy_share_one_heap() }
        if arguments.first == RemoteNames.request {
            let shell = ProcessInfo.processInfo.environment["SAP_SHELL"]
            for name in await RemoteNames.answer(arguments, shell: shell) { Terminal().writeOutput(name + "\n") }
            return
        }
        do {
            var command = try Bothy.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let finished as Finished {
            exit(finished.status.rawValue)
        } catch {
            exit(report(error))
        }
    }

    /// Whether it stays, and serves many at once.
    private static func isLasting(_ arguments: [String]) -> Bool {
        let lasting = [UpCommand.configuration, ServerCommand.configuration, AgentCommand.configuration]
        return lasting.contains { $0.commandName == arguments.first } || arguments.contains("--watch")
    }

    /// Tells what went wrong on standard error (or shows the help that was asked for on standard output).
    ///
    /// - Returns: the process's exit status.
    private static func report(_ error: any Error) -> Int32 {
        if let complaint = Complaint(describing: error) {
            complaint.print(json: wantsJSON)
            return complaint.status.rawValue
        }
        if typed.first == "help", let topic = typed.dropFirst().first, let hint = UsageHint.words(for: [topic]) {
            Complaint.usage(hint, remedy: "“bothy --help” lists the commands.").print(json: wantsJSON)
            return ExitStatus.wrongUsage.rawValue
        }
        let code = Bothy.exitCode(for: error)
        guard code == .validationFailure else {
            let message = Bothy.fullMessage(for: error)
            if !message.isEmpty {
                let shown = UsageWords.safe(message, typed: typed)
                Terminal.write(shown + "\n", to: code == .success ? STDOUT_FILENO : STDERR_FILENO)
            }
            return code.rawValue
        }
        return reportWrongUsage(error)
    }

    /// What ArgumentParser says of arguments that it cannot read, in our own shape.
    private static func reportWrongUsage(_ error: any Error) -> Int32 {
        let hint = UsageHint.words(for: typed)
        if wantsJSON {
            Complaint.usage(hint ?? Bothy.message(for: error)).print(json: true)
        } else if let hint {
            Complaint.usage(hint, remedy: "“bothy --help” lists the commands.").print(json: false)
        } else {
            let message = UsageWords.safe(Bothy.fullMessage(for: error), typed: typed)
            let words = message.hasPrefix("Error: ") ? "bothy: " + message.dropFirst("Error: ".count) : message
            Terminal().writeError(words + "\n")
        }
        return ExitStatus.wrongUsage.rawValue
    }

    /// What was typed after `bothy`.
    private static var typed: [String] { Array(CommandLine.arguments.dropFirst()) }

    private static var wantsJSON: Bool { CommandLine.arguments.prefix { $0 != "--" }.contains("--json") }
}
