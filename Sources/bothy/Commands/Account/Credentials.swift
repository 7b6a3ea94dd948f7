import ArgumentParser
import BothyClient
import Foundation

/// What `register` and `login` need to know, from options, from standard input, or asked on a terminal.
struct Credentials: ParsableArguments {
    @Option(help: "The server: https://files.example.org, or localhost:8080.")
    var server: String?

    @Option(help: "The account's email address.")
    var email: String?

    @Option(help: "A name for this device. Default: the machine's name.")
    var device: String?

    @Flag(help: "Read the password from the first line of standard input.")
    var passwordStdin = false

    struct Complete {
        var server: ServerAddress
        var email: String
        var device: String
        var password: String
    }

    /// - Parameter isNew: the password is being chosen: it is asked twice.
    func complete(isNew: Bool) throws -> Complete {
        let terminal = Terminal()
        let server = try ServerAddress(Self.value(server, "--server", "Server: ", terminal))
        let email = try Self.value(email, "--email", "Email: ", terminal)
        guard Self.isAddress(email) else {
            throw Complaint.usage(
                "“\(email)” is not an email address.", remedy: "It has a name, “@” and a host: ada@example.org.")
        }
        let password = try password(isNew: isNew, terminal)
        return Complete(
            server: server, email: email, device: device ?? Self.machineName, password: password)
    }

    private static func value(
        _ given: String?, _ option: String, _ question: String, _ terminal: Terminal
    ) throws -> String {
        if let given { return given }
        guard terminal.canAsk else {
            throw Complaint.usage(
                "\(option) is missing.", remedy: "Give it, or run the command in a terminal to be asked.")
        }
        guard let answer = terminal.ask(question), !answer.isEmpty else {
            throw Complaint(.interrupted, "Nothing was typed.", status: .interrupted)
        }
        return answer
    }

    /// What the server would refuse for its shape alone.
    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
    }

    private func password(isNew: Bool, _ terminal: Terminal) throws -> String {
        if passwordStdin || !terminal.canAsk {
            guard passwordStdin else {
                throw Complaint.usage(
                    "There is no terminal to ask for the password.",
                    remedy:
                        "Give it with --password-stdin: “bothy \(isNew ? "register" : "login") … --password-stdin < file”."
                )
            }
            guard let line = readLine(strippingNewline: true), !line.isEmpty else {
                throw Complaint.usage(
                    "There was no password on standard input.", remedy: "The first line is read as the password.")
            }
            return line
        }
        guard let password = terminal.askSecretly("Password: "), !password.isEmpty else {
            throw Complaint(.interrupted, "No password was typed.", status: .interrupted)
        }
        if isNew {
            guard terminal.askSecretly("Repeat password: ") == password else {
                throw Complaint(.wrongUsage, "The two passwords differ.", remedy: "Try again.", status: .wrongUsage)
            }
        }
        return password
    }

    private static var machineName: String {
        let name = ProcessInfo.processInfo.hostName
        return name.isEmpty ? "this device" : String(name.prefix(100))
    }
}
