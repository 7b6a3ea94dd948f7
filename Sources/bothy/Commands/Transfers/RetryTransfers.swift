import ArgumentParser
import BothyClient

/// `bothy transfers retry`
struct RetryTransfers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Retry failed transfers.",
        discussion:
            "--from-scratch discards what has arrived and starts over. Use it when a transfer fails repeatedly."
    )

    @OptionGroup var selection: TransferSelection

    @Flag(help: "Start over from the first byte.")
    var fromScratch = false

    @OptionGroup var transfer: TransferOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await TransferSession.run(output, transfer) { session in
            let places = try await TransferPlaces(home: session.home)
            for transfer in try await selection.find(session.home, included: { $0.state == .failed }) {
                if fromScratch {
                    try await session.home.transfers.retryFromScratch(transfer.id)
                } else {
                    try await session.home.transfers.retry(transfer.id)
                }
                let place = try await places.place(of: transfer)
                try await session.queue.add(TransferJob(transfer, at: place, isBegun: true))
            }
        }
    }
}
