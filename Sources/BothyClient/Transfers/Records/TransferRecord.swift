/// A row of either kind. Indirect, since it is handed on far more often than it is changed.
package indirect enum TransferRecord: Sendable {
    case upload(UploadTransfer)
    case download(DownloadTransfer)

    package var id: String {
        switch self {
        case .upload(let transfer): transfer.transferId
        case .download(let transfer): transfer.transferId
        }
    }

    package var state: TransferState {
        switch self {
        case .upload(let transfer): transfer.state
        case .download(let transfer): transfer.state
        }
    }

    package var runner: String? {
        switch self {
        case .upload(let transfer): transfer.runner
        case .download(let transfer): transfer.runner
        }
    }

    package var wish: TransferWish? {
        switch self {
        case .upload(let transfer): transfer.wish
        case .download(let transfer): transfer.wish
        }
    }

    package var snapshot: TransferSnapshot {
        switch self {
        case .upload(let transfer): transfer.snapshot()
        case .download(let transfer): transfer.snapshot()
        }
    }

    /// Both kinds keep these in the same way.
    mutating func set(state: TransferState, runner: String?) {
        switch self {
        case .upload(var transfer):
            transfer.state = state
            transfer.runner = runner
            self = .upload(transfer)
        case .download(var transfer):
            transfer.state = state
            transfer.runner = runner
            self = .download(transfer)
        }
    }
}
