import ArgumentParser
import BothyClient
import BothyContract

/// `bothy whoami`
struct WhoamiCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami", abstract: "Show who is signed in, and how much storage is used.")

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.using { home in
            guard let account = try home.account.signedIn() else { throw Self.nobody }
            let quota = try await Self.quota(home)
            if output.json { return try output.print(AccountDocument(account, quota: quota)) }
            var table = Table([.init(""), .init("")])
            table.add(["account", "\(account.user.displayName) <\(account.user.email)>"])
            table.add(["server", account.server.origin])
            table.add(["device", account.device.name])
            table.add(["storage", Self.text(quota)])
            output.print(table)
        }
    }

    static let nobody = Complaint(
        .signInNeeded, "Nobody is signed in on this device.", remedy: "Sign in with “bothy login”.",
        status: .signInNeeded)

    /// Nil when the server is out of reach: who is signed in is known without it.
    private static func quota(_ home: DeviceHome) async throws -> AboutResponse.Quota? {
        do {
            return try await home.account.about().quota
        } catch let failure as ClientFailure where failure.code != .signInNeeded {
            return nil
        }
    }

    private static func text(_ quota: AboutResponse.Quota?) -> String {
        guard let quota else { return "unknown: the server cannot be reached" }
        return quota.limit.map { "\(ByteText.text(quota.used)) of \(ByteText.text($0))" } ?? ByteText.text(quota.used)
    }
}
