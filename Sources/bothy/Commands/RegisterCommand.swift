import ArgumentParser
import BothyClient

/// `bothy register`
struct RegisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Make an account on a server and sign this device in.",
        discussion: """
            What is left out is asked for on a terminal. The first account of a server on another machine needs the setup \
            code that it prints at each start until then; later ones an invite, where its owner wants it so.
            """)

    @OptionGroup var credentials: Credentials

    @Option(help: "Your name as others see it. The part before the @ where left out.")
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
