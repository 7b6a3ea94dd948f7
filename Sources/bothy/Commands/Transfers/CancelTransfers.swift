import ArgumentParser
import BothyClient

/// `bothy transfers cancel`
struct CancelTransfers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel transfers, and free the space they use here and on the server.")

    @OptionGroup var selection: TransferSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.using { home in
            let places = try await TransferPlaces(home: home)
            for transfer in try await selection.find(home, included: { !$0.state.isOver }) {
                try await home.transfers.cancel(transfer.id)
                let canceled = try await home.transfers.snapshot(transfer.id)
                let place = try await places.place(of: canceled)
                try output.tell("\(transfer.name) is canceled", TransferRecordDocument(canceled, at: place))
            }
        }
    }
}
