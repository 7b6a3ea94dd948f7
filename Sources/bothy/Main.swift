import ArgumentParser
import BothyClient
import Foundation

/// Runs the command that was typed, and turns whatever it ends with into words and a number.
@main
enum Main {
    static func main() async {
        signal(SIGPIPE, SIG_IGN)
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

    /// Tells what went wrong on standard error (or shows the help that was asked for on standard output).
    ///
    /// - Returns: the process's exit status.
    private static func report(_ error: any Error) -> Int32 {
        if let complaint = Complaint(describing: error) {
            complaint.print(json: CommandLine.arguments.prefix { $0 != "--" }.contains("--json"))
            return complaint.status.rawValue
        }
        let code = Bothy.exitCode(for: error)
        let message = Bothy.fullMessage(for: error)
        if !message.isEmpty {
            Terminal.write(message + "\n", to: code == .success ? STDOUT_FILENO : STDERR_FILENO)
        }
        return code == .validationFailure ? ExitStatus.wrongUsage.rawValue : code.rawValue
    }
}
