import ArgumentParser
import BothyClient

/// `bothy password`
struct PasswordCommand: AsyncParsableCommand {
    private struct Document: Encodable {
        var passwordChanged = true
    }

    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Change the account's password. Every other device is signed out.")

    @Flag(help: "Read the old and the new password from the first two lines of standard input.")
    var passwordStdin = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let (old, new) = try passwords()
        try await Home.using { try await $0.account.changePassword(current: old, new: new) }
        try output.tell("The password is changed. Every other device must sign in again.", Document())
    }

    private func passwords() throws -> (old: String, new: String) {
        let terminal = Terminal()
        if passwordStdin, let old = readLine(), let new = readLine() { return (old, new) }
        guard terminal.canAsk, !passwordStdin else {
            throw Complaint.usage(
                "Two lines are needed: the old password and the new one.",
                remedy: "Give them with --password-stdin, or run the command in a terminal.")
        }
        guard let old = terminal.askSecretly("Current password: "), let new = terminal.askSecretly("New password: "),
            terminal.askSecretly("Repeat new password: ") == new
        else { throw Complaint.usage("The two new passwords differ.", remedy: "Try again.") }
        return (old, new)
    }
}
