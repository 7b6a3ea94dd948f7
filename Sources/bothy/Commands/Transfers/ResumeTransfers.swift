import ArgumentParser
import BothyClient

/// `bothy transfers resume`
struct ResumeTransfers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Resume paused, interrupted or failed transfers now, in this terminal.")

    @OptionGroup var selection: TransferSelection
    @OptionGroup var transfer: TransferOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await TransferSession.run(output, transfer) { session in
            let found = try await selection.find(session.home) { $0.state.rests && !$0.state.isOver }
            let places = try await TransferPlaces(home: session.home)
            for transfer in found {
                let place = try await places.place(of: transfer)
                try await session.queue.add(TransferJob(transfer, at: place, isBegun: false))
            }
        }
    }
}
