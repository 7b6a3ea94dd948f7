import ArgumentParser
import BothyClient
import BothyContract

/// `bothy transfers`
struct TransfersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfers",
        abstract: "List and control unfinished uploads and downloads.",
        subcommands: [
            List.self, PauseTransfers.self, ResumeTransfers.self, CancelTransfers.self, RetryTransfers.self,
            ForgetTransfers.self,
        ],
        defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List transfers, the newest first.")

        @Flag(name: .shortAndLong, help: "Include completed and canceled transfers.")
        var all = false

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let (transfers, places, operations, others, hold, directory) = try await Home.using { home in
                try await home.endLeftOverUploads()
                let transfers = try await home.transfers.list(over: all)
                var places = [String]()
                let finder = try await TransferPlaces(home: home)
                for transfer in transfers { places.append(try await finder.place(of: transfer)) }
                return (
                    transfers, places, try await home.replica.operations(),
                    Self.others(try await home.replica.journal(), besides: transfers),
                    try await home.conditions.hold(on: .byItself), home.directory
                )
            }
            let states = Dictionary(
                operations.map { ($0.requestId, $0.state) }, uniquingKeysWith: { first, _ in first })
            if output.json {
                for (transfer, place) in zip(transfers, places) {
                    let rule = Self.applying(hold, to: states[transfer.id])
                    try output.print(TransferRecordDocument(transfer, at: place, rule))
                }
                return
            }
            defer { if others > 0 { output.note(Self.told(others)) } }
            if transfers.isEmpty, !output.quiet {
                return Terminal().writeOutput("No transfers are running or waiting.\n")
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
                    Self.state(transfer, states[transfer.id], hold), TransferWords.progress(transfer),
                    Self.words(transfer, isConflict: states[transfer.id] == .conflict),
                ])
            }
            output.print(table)
        }

        /// Of the journal, as “bothy status” counts it, what is no transfer: a post, a like, a new folder.
        private static func others(_ journal: [any DomainOperation], besides transfers: [TransferSnapshot]) -> Int {
            let listed = Set(transfers.map(\.id))
            return journal.count { $0.state != .acknowledged && !listed.contains($0.requestId) }
        }

        private static func told(_ others: Int) -> String {
            let waits = others == 1 ? "1 other action waits" : "\(others) other actions wait"
            return "\(waits) here. “bothy journal” lists them."
        }

        /// - Parameters:
        ///   - operation: how the operation of the journal stands that this is the content of.
        ///   - hold: what holds back all automatic work.
        private static func state(
            _ transfer: TransferSnapshot, _ operation: JournalOperation.State?, _ hold: Condition?
        ) -> String {
            if let rule = applying(hold, to: operation), transfer.state.isStopped {
                return TransferWords.held(by: rule)
            }
            let goesOn = transfer.state == .paused(.stopped) && operation == .queued
            return goesOn ? "waiting to be sent" : TransferWords.state(transfer.state)
        }

        /// What waits for a person resumes once that person has decided, whatever the rules of the device say.
        private static func applying(_ hold: Condition?, to operation: JournalOperation.State?) -> Condition? {
            operation == .conflict || operation == .parked ? nil : hold
        }

        private static func words(_ transfer: TransferSnapshot, isConflict: Bool) -> String {
            if isConflict { return "a conflict: “bothy conflicts” lists it, “bothy resolve” decides" }
            return transfer.state == .failed ? transfer.failure?.words ?? "" : ""
        }
    }
}
