import BothyClient

/// Transfers in words.
enum TransferWords {
    static func state(_ state: TransferState) -> String {
        switch state {
        case .queued: "waiting"
        case .preparing: "preparing"
        case .transferring: "under way"
        case .verifying: "checking"
        case .paused(let reason): reason.words
        case .completed: "done"
        case .failed: "failed"
        case .canceled: "canceled"
        }
    }

    static func progress(_ transfer: TransferSnapshot) -> String {
        guard let total = transfer.bytesTotal else { return ByteText.text(transfer.bytesDone) }
        let percent = ProgressLines.percent(transfer.bytesDone, of: total).drop { $0 == " " }
        return "\(percent) of \(ByteText.text(total))"
    }
}
