import ArgumentParser
import BothyClient

/// `bothy register`
struct RegisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Create an account on a server and sign this device in.",
        discussion: """
            Missing options are asked for in a terminal. On a remote server, the first account needs the setup code that the \
            server prints at each start until then. Later accounts need an invite if the server requires one.
            """)

    @OptionGroup var credentials: Credentials

    @Option(help: "Your name as others see it. Default: the part of the email address before the @.")
    var name: String?

    @Option(help: "The code that the server prints while it has no account.")
    var setupCode: String?

    @Option(help: "An invite to the server.")
    var invite: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let complete = try credentials.complete(isNew: true)
        let registration = Registration(
            email: complete.email, password: complete.password,
            displayName: name ?? String(complete.email.prefix { $0 != "@" }), deviceName: complete.device,
            setupCode: setupCode, invite: invite)
        let account = try await Home.using { try await $0.account.register(registration, at: complete.server) }
        await HomeAgent.look()
        try output.tell(
            "Welcome. \(account.user.email) now has files at \(account.server), and “\(account.device.name)” is signed in.",
            AccountDocument(account))
    }
}
