import ArgumentParser
import BothyClient

/// `bothy transfers forget`
struct ForgetTransfers: AsyncParsableCommand {
    private struct Document: Encodable {
        var forgotten = true
    }

    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Remove the records of transfers that are over.",
        discussion: """
            Over is what was done and what was canceled. One that failed can be retried, and stays until it is, or until \
            “bothy transfers cancel” ends it.
            """)

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.using { try await $0.transfers.forgetOver() }
        try output.tell("Transfers that are over are forgotten.", Document())
    }
}
