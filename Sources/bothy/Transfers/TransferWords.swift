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
        case Condition.Rule.battery: "waiting: on battery"
        case Condition.Rule.metered: "waiting: metered network"
        default: "waiting: this device is paused"
        }
    }

    /// How to free what an upload that failed for want of room holds there itself; nil of any other.
    static func held(byFailed transfer: TransferSnapshot) -> String? {
        guard transfer.direction == .upload, transfer.state == .failed, transfer.bytesDone > 0,
            transfer.failure?.code == .quotaExceeded || transfer.failure?.code == .serverFull
        else { return nil }
        let id = ShortId.of(transfer.id, among: [transfer.id])
        return """
            This upload itself uses \(ByteText.text(transfer.bytesDone)) of it: “bothy transfers cancel \(id)” frees that.
            """
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
