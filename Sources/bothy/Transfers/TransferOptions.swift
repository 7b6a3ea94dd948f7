import ArgumentParser
import BothyClient

/// What every command that moves bytes takes.
struct TransferOptions: ParsableArguments {
    @Option(
        help: "The transfer rate limit for this command, in bytes per second: 500K, 5M, or off.",
        transform: ByteRate.parse)
    var limitRate: ByteRate?

    func apply(to home: DeviceHome) {
        if let limitRate { home.settings.limitThisProcess(to: limitRate.bytesPerSecond) }
    }
}
