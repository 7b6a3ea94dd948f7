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
            let (transfers, places, operations, directory) = try await Home.using { home in
                let transfers = try await home.transfers.list(over: all)
                var places = [String]()
                let finder = try await TransferPlaces(home: home)
                for transfer in transfers { places.append(try await finder.place(of: transfer)) }
                return (transfers, places, try await home.replica.operations(), home.directory)
            }
            let states = Dictionary(
                operations.map { ($0.requestId, $0.state) }, uniquingKeysWith: { first, _ in first })
            if output.json {
                return try zip(transfers, places).forEach { try output.print(TransferRecordDocument($0, at: $1)) }
            }
            if transfers.isEmpty, !output.quiet {
                return Terminal().writeOutput("No transfer is under way or waiting.\n")
            }
            let ids = transfers.map(\.id)
            var table = Table([
                .init("ID"), .init(""), .init("FILE"), .init("STATE"), .init("DONE", right: true), .init(""),
            ])
            for (transfer, place) in zip(transfers, places) {
                table.add([
                    ShortId.of(transfer.id, among: ids), transfer.direction == .upload ? "up" : "down",
                    // A place in the home itself says nothing to a person.
                    transfer.localPath.hasPrefix("\(directory)/") ? transfer.name : place,
                    Self.state(transfer, states[transfer.id]), TransferWords.progress(transfer),
                    Self.words(transfer, isConflict: states[transfer.id] == .conflict),
                ])
            }
            output.print(table)
        }

        /// - Parameter operation: how the operation of the journal stands that this is the content of.
        private static func state(_ transfer: TransferSnapshot, _ operation: JournalOperation.State?) -> String {
            let goesOn = transfer.state == .paused(.stopped) && operation == .queued
            return goesOn ? "waits to be sent" : TransferWords.state(transfer.state)
        }

        private static func words(_ transfer: TransferSnapshot, isConflict: Bool) -> String {
            if isConflict { return "a conflict: “bothy conflicts” lists it, “bothy resolve” decides" }
            return transfer.state == .failed ? transfer.failure?.words ?? "" : ""
        }
    }
}
