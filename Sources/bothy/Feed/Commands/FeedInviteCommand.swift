import ArgumentParser
import BothyClient
import BothyContract

/// `bothy feed invite`
struct FeedInviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Invite one person to this server; you will follow each other.")

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.using { home in
            let made = try await home.people.invite()
            let server = try home.account.signedIn().map { "\($0.server)" } ?? "URL"
            try output.list(
                [
                    "This invite is for one person and expires in 14 days. They type",
                    "    bothy register --server \(server) --email THEIRS --invite \(made.invite)",
                ], made)
        }
    }
}
