import BothyAgent
import BothyClient
import BothyContract

/// Everything that this device does and waits for, on one page: what `bothy status` prints, with `--json` as it stands.
struct StatusDocument: Encodable {
    struct Agent: Encodable {
        var running: Bool
        var pid: Int32?
        var release: String?
        var startedAt: Timestamp?
    }

    struct Transfers: Encodable, Equatable {
        /// They move now, or go on by themselves as soon as they can.
        var underWay = 0
        /// Nobody runs them: an agent, or the same command again, continues them.
        var stopped = 0
        /// Paused by the person, one by one.
        var paused = 0
        var failed = 0
        /// Bytes that are still to be moved, as far as sizes are known; not of what failed.
        var bytesLeft: Int64 = 0
    }

    struct Storage: Encodable {
        var database: Int64
        var content: Int64
        var other: Int64
    }

    /// Absent when nobody is signed in.
    var account: AccountDocument?
    var agent: Agent
    /// The processes of `bothy sync --watch`.
    var watches: [Int32]
    /// How each thing stands, in the order of the page.
    var lines: [AgentStatusLine]
    var transfers: Transfers
    /// What completed transfers had to move, and what was there already.
    var carried: CarriedBytes
    /// Bytes on this device's disk.
    var storage: Storage
    /// What is held here of the drive, and what of that can be freed.
    var kept: KeptHere
}

extension StatusDocument.Transfers {
    /// - Parameter operations: of the journal: what its lines tell of is not told twice, with another remedy.
    init(_ transfers: [TransferSnapshot], besides operations: [JournalOperation]) {
        let told = Set(operations.filter { $0.state == .conflict || $0.state == .parked }.map(\.requestId))
        // Nobody has to resume what the journal continues by itself.
        let queued = Set(operations.map(\.requestId))
        for transfer in transfers where !told.contains(transfer.id) {
            if transfer.state == .paused(.stopped), queued.contains(transfer.id) { continue }
            switch transfer.state {
            case .failed:
                // It goes nowhere until somebody has it tried again.
                failed += 1
                continue
            case .paused(.user): paused += 1
            case .paused(.stopped), .paused(.signInNeeded): stopped += 1
            case .completed, .canceled: continue
            default: underWay += 1
            }
            if let total = transfer.bytesTotal { bytesLeft += max(0, total - transfer.bytesDone) }
        }
    }

    /// `2 under way, 1 failed; 1.5 MiB to go`.
    var words: String {
        let parts = [
            (underWay, "under way"), (stopped, "waiting to be resumed"), (paused, "paused by you"), (failed, "failed"),
        ]
        .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        guard !parts.isEmpty else { return "none" }
        return parts.joined(separator: ", ") + (bytesLeft > 0 ? "; \(ByteText.text(bytesLeft)) to go" : "")
    }

    var remedy: String? {
        if failed > 0 {
            return """
                “bothy transfers” says why; “bothy transfers retry --all” retries them, and “bothy transfers cancel ID” cancels \
                one.
                """
        }
        if stopped > 0 {
            return "“bothy transfers resume --all” resumes them here; the agent resumes interrupted ones."
        }
        if paused > 0 { return "“bothy transfers resume --all” resumes them." }
        return nil
    }
}
