import ArgumentParser
import BothyClient

/// `bothy login`
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Sign this device in.",
        discussion: "Missing options are asked for in a terminal. $BOTHY_HOME is one device of one account.")

    @OptionGroup var credentials: Credentials
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let complete = try credentials.complete(isNew: false)
        let account = try await Home.using {
            try await $0.account.login(
                email: complete.email, password: complete.password, deviceName: complete.device, at: complete.server)
        }
        await HomeAgent.look()
        try output.tell(
            "“\(account.device.name)” is signed in as \(account.user.email) at \(account.server).",
            AccountDocument(account))
    }
}
