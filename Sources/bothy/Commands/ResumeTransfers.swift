import ArgumentParser
import BothyClient

/// `bothy transfers resume`
struct ResumeTransfers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Go on with paused, stopped or failed transfers, here and now.")

    @OptionGroup var selection: TransferSelection
    @OptionGroup var transfer: TransferOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await TransferSession.run(output, transfer) { session in
            let found = try await selection.find(session.home) { $0.state.rests && !$0.state.isOver }
            for transfer in found { try await session.queue.add(TransferJob(transfer, isBegun: false)) }
        }
    }
}
