import ArgumentParser
import BothyClient

/// `bothy transfers pause`
struct PauseTransfers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pause transfers until they are resumed, whichever command runs them.")

    @OptionGroup var selection: TransferSelection
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.using { home in
            let places = try await TransferPlaces(home: home)
            for transfer in try await selection.find(home, included: { !$0.state.rests }) {
                try await home.transfers.pause(transfer.id)
                let paused = try await home.transfers.snapshot(transfer.id)
                let place = try await places.place(of: paused)
                try output.tell("\(transfer.name) is paused", TransferRecordDocument(paused, at: place))
            }
        }
    }
}
