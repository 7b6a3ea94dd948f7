import ArgumentParser
import BothyClient
import BothyContract

/// `bothy transfers`
struct TransfersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfers",
        abstract: "See uploads and downloads that have not ended, and steer them.",
        subcommands: [
            List.self, PauseTransfers.self, ResumeTransfers.self, CancelTransfers.self, RetryTransfers.self,
            ForgetTransfers.self,
        ],
        defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List transfers, the newest first.")

        @Flag(name: .shortAndLong, help: "Those that are over too.")
        var all = false

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let transfers = try await Home.using { try await $0.transfers.list(over: all) }
            if output.json { return try transfers.forEach { try output.print(TransferRecordDocument($0)) } }
            if transfers.isEmpty, !output.quiet {
                return Terminal().writeOutput("No transfer is under way or waiting.\n")
            }
            let ids = transfers.map(\.id)
            var table = Table([
                .init("ID"), .init(""), .init("FILE"), .init("STATE"), .init("DONE", right: true), .init(""),
            ])
            for transfer in transfers {
                table.add([
                    ShortId.of(transfer.id, among: ids), transfer.direction == .upload ? "up" : "down",
                    transfer.localPath,
                    TransferWords.state(transfer.state), TransferWords.progress(transfer),
                    transfer.state == .failed ? transfer.failure?.words ?? "" : "",
                ])
            }
            output.print(table)
        }
    }
}
