import ArgumentParser
import BothyClient

/// `bothy config`
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show or change this device's lasting settings.",
        subcommands: [Show.self, LimitRate.self], defaultSubcommand: Show.self)

    private struct Document: Encodable {
        /// Bytes per second each way; absent for none.
        var limitRate: Int64?
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the settings.")

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let limit = try await Home.using { try await $0.settings.rateLimit() }
            if output.json { return try output.print(Document(limitRate: limit)) }
            var table = Table([.init(""), .init("")])
            table.add(["limit-rate", ByteRate(bytesPerSecond: limit).text])
            output.print(table)
        }
    }

    struct LimitRate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "limit-rate", abstract: "Limit how fast transfers go from now on, each way.",
            discussion:
                "K, M and G are steps of 1024: 500K, 5M. “off” lifts the limit. --limit-rate holds for one command.")

        @Argument(help: "Bytes per second: 500K, 5M, or off.")
        var rate: ByteRate

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Home.using { try await $0.settings.setRateLimit(rate.bytesPerSecond) }
            try output.tell(
                rate.bytesPerSecond == nil
                    ? "Transfers go as fast as they can." : "Transfers keep to \(rate.text) each way.",
                Document(limitRate: rate.bytesPerSecond))
        }
    }
}
