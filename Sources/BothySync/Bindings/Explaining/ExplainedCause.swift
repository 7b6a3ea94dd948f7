import BothyClient

/// Everything that `why` may name as the cause of how a file stands: what the plan says of it, and what this device and its
/// way to the server make of that.
package enum ExplainedCause: Equatable, Sendable {
    case item(ItemStatus.Cause)
    /// The last try at what is planned for it came to this.
    case failed(ClientFailure)
    /// Automatic work is held on this device.
    case devicePaused(DevicePause)
    /// Automatic work is held until it is plugged in, or in another network.
    case deviceRests(DeviceRest)
    /// Nothing is running that would do it.
    case nobodyAtWork
    /// There is no way to the server now.
    case offline(ClientFailure)
    /// The server takes nothing from this device.
    case refused(ClientFailure)
    /// Its bytes are being moved, or held back.
    case transfer(TransferState)
    /// Something that was typed about it is in the journal.
    case operation(JournalOperation.State)
}

/// What goes on around a file besides its folder's plan.
package struct Surroundings: Sendable {
    package var pause: DevicePause?
    /// Why this device rests by itself, where it does.
    package var rest: DeviceRest?
    /// Something is running that keeps the folder in sync.
    package var isKept: Bool
    /// Why the server cannot be reached, where it cannot.
    package var offline: ClientFailure?
    package var transfer: TransferState?
    /// Of the oldest operation of the journal about it.
    package var operation: JournalOperation.State?

    package init(
        pause: DevicePause? = nil, rest: DeviceRest? = nil, isKept: Bool = true, offline: ClientFailure? = nil,
        transfer: TransferState? = nil, operation: JournalOperation.State? = nil
    ) {
        self.pause = pause
        self.rest = rest
        self.isKept = isKept
        self.offline = offline
        self.transfer = transfer
        self.operation = operation
    }
}

extension ExplainedCause {
    /// The cause that a person should hear: what stops everything comes before what stops this file, and what needs a person
    /// before what passes by itself.
    ///
    /// - Parameter failure: what the last try at it came to.
    package static func of(
        _ item: ItemStatus.Cause, failure: ClientFailure?, in surroundings: Surroundings
    ) -> ExplainedCause {
        let state = ItemStatus(item).state
        let isOthers = state == .synced || state == .pending || state == .outside || state == .unknown
        if let operation = surroundings.operation, operation != .acknowledged, isOthers {
            let isSentNext = operation == .queued || operation == .sending
            if isSentNext, let away = surroundings.offline, away.isAccounts { return .refused(away) }
            if isSentNext, let pause = surroundings.pause { return .devicePaused(pause) }
            if isSentNext, let rest = surroundings.rest { return .deviceRests(rest) }
            if isSentNext, !surroundings.isKept { return .nobodyAtWork }
            return .operation(operation)
        }
        guard state == .pending else { return .item(item) }
        let isPassing = failure.map { $0.isNetworks || $0.isAccounts } ?? false
        if let failure, surroundings.offline == nil || !isPassing { return .failed(failure) }
        // What a guard holds waits for a person: neither the server's return nor the end of a pause changes anything.
        if item.isGuarded { return .item(item) }
        if item.isPlanned, let away = surroundings.offline, away.isAccounts { return .refused(away) }
        // What a pause has stopped resumes when that ends, and not by itself.
        if let transfer = surroundings.transfer, !transfer.isOver, transfer != .failed,
            surroundings.offline == nil || !item.isPlanned,
            surroundings.pause == nil || transfer != .paused(.stopped)
        {
            return .transfer(transfer)
        }
        if let pause = surroundings.pause { return .devicePaused(pause) }
        if let rest = surroundings.rest { return .deviceRests(rest) }
        if item.isPlanned, !surroundings.isKept { return .nobodyAtWork }
        // A file's own hold waits for the file: the server's return changes nothing.
        if item.isPlanned, let away = surroundings.offline { return .offline(away) }
        return .item(item)
    }

    package var state: ItemStatus.State {
        switch self {
        case .item(let cause): ItemStatus(cause).state
        case .failed: .failed
        case .devicePaused, .deviceRests, .nobodyAtWork, .offline, .refused: .pending
        case .transfer(let transfer):
            switch transfer {
            case .queued, .preparing, .paused: .pending
            case .transferring, .verifying: .transferring
            case .completed, .canceled: .synced
            case .failed: .failed
            }
        case .operation(let operation):
            switch operation {
            case .queued, .sending: .pending
            case .acknowledged: .synced
            case .conflict: .conflict
            case .parked: .failed
            }
        }
    }

    /// What a person can type or do, as a sentence.
    package var remedy: String {
        switch self {
        case .item(let cause): return ItemStatus(cause).remedy
        case .failed(let failure), .refused(let failure): return failure.remedy
        case .offline: return "nothing to do: it resumes when the server can be reached"
        case .devicePaused: return "“bothy resume” ends the pause"
        case .deviceRests(.battery): return "plug this device in, or run “bothy config on-battery go”"
        case .deviceRests(.metered): return "use another network, or run “bothy config on-metered go”"
        case .nobodyAtWork:
            return "“bothy agent --background” keeps it synced, “bothy sync DIR --once” syncs it once"
        case .transfer(let transfer):
            switch transfer {
            case .queued, .preparing, .transferring, .verifying, .paused(.offline), .paused(.serverBusy):
                return "nothing to do: “bothy transfers” shows its progress"
            case .paused(.tooManyUploads):
                return "let some uploads finish, or cancel some: “bothy transfers” lists those of this device"
            case .paused(.user), .paused(.stopped): return "“bothy transfers resume” resumes it"
            case .paused(.signInNeeded): return "sign in with “bothy login”"
            case .completed, .canceled: return "nothing to do"
            case .failed: return "“bothy transfers” says why; the next pass tries again"
            }
        case .operation(let operation):
            switch operation {
            case .queued, .sending: return "nothing to do: it is sent as soon as there is a connection"
            case .acknowledged: return "nothing to do"
            case .conflict:
                return "“bothy conflicts” lists it, “bothy open” shows both versions, “bothy resolve” decides"
            case .parked:
                return "“bothy journal” says why; “bothy journal retry” retries it, “bothy journal discard” discards it"
            }
        }
    }
}

extension ItemStatus.Cause {
    /// Something is to be done about it, or about what it is in.
    fileprivate var isPlanned: Bool {
        switch self {
        case .planned, .along: true
        default: false
        }
    }

    /// A guard holds it, or all of its folder.
    fileprivate var isGuarded: Bool {
        switch self {
        case .guarded, .held(.guarded): true
        default: false
        }
    }
}
