import ArgumentParser
import BothyClient

/// `bothy transfers forget`
struct ForgetTransfers: AsyncParsableCommand {
    private struct Document: Encodable {
        var forgotten = true
        /// How many failed, and are kept.
        var failed: Int
    }

    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Remove completed and canceled transfers from the list.",
        discussion: """
            A failed transfer stays until it is retried, or until “bothy transfers cancel” ends it.
            """)

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let failed = try await Home.using { home in
            try await home.transfers.forgetOver()
            return try await home.transfers.list(over: false).count { $0.state == .failed }
        }
        let stay =
            switch failed {
            case 0: ""
            case 1:
                " One that failed stays: “bothy transfers retry --all” tries it again, “bothy transfers cancel” ends it."
            default:
                " \(failed) that failed stay: “bothy transfers retry --all” tries them again, “bothy transfers cancel ID” ends one."
            }
        try output.tell("Completed and canceled transfers were removed from the list.\(stay)", Document(failed: failed))
    }
}
