import ArgumentParser
import BothyClient

/// `bothy logout`
struct LogoutCommand: AsyncParsableCommand {
    private struct Document: Encodable {
        /// False when nobody was signed in.
        var signedOut = true
        /// False when the server was out of reach: the device stays in the account's list until it is signed out there.
        var serverTold: Bool
    }

    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Sign this device out and remove the account's data from it.",
        discussion: "Downloaded files stay where they are. Signing out is refused while transfers are unfinished.")

    @Flag(help: "Discard unfinished transfers and unsent changes.")
    var giveUpTransfers = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        guard try await Home.using({ try $0.account.signedIn() }) != nil else {
            return try output.tell(
                "Nobody is signed in on this device.", Document(signedOut: false, serverTold: false))
        }
        // What it holds of the account must not come back after it was removed.
        let agentRan = try await HomeAgent.launcher.stop()
        let told: Bool
        do {
            told = try await signOut()
        } catch {
            if agentRan { try await HomeAgent.launcher.ensure() }
            throw error
        }
        try output.tell(
            told
                ? "This device is signed out."
                : "This device is signed out, but the server could not be told. Take it off the list of devices from another one.",
            Document(serverTold: told))
    }

    private func signOut() async throws -> Bool {
        try await Home.using { home in
            do {
                return try await home.signOut(givingUp: giveUpTransfers)
            } catch let failure as ClientFailure where failure.code == .pendingWork {
                throw Complaint(
                    .transfersPending, failure.words,
                    remedy:
                        "See “bothy transfers”, “bothy journal” and “bothy feed outbox”: “bothy transfers cancel ID” cancels a failed one, “bothy journal export FOLDER” saves the waiting files, and --give-up-transfers signs out anyway."
                )
            }
        }
    }
}
