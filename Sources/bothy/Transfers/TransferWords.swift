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

    /// What a rule of this device makes of a transfer that would go on by itself.
    static func held(by hold: Condition) -> String {
        switch hold.rule {
        case Condition.Rule.battery: "waits: on battery"
        case Condition.Rule.metered: "waits: metered network"
        default: "waits: everything is paused"
        }
    }

    /// `, sent 1.1 MiB`, where the other side had much of it.
    static func carried(_ transfer: TransferSnapshot) -> String? {
        guard let carried = transfer.bytesCarried, let total = transfer.bytesTotal, carried < total / 10 * 9 else {
            return nil
        }
        return ", \(transfer.direction == .upload ? "sent" : "fetched") \(ByteText.text(carried))"
    }

    static func progress(_ transfer: TransferSnapshot) -> String {
        guard let total = transfer.bytesTotal else { return ByteText.text(transfer.bytesDone) }
        let percent = ProgressLines.percent(transfer.bytesDone, of: total).drop { $0 == " " }
        return "\(percent) of \(ByteText.text(total))"
    }
}
