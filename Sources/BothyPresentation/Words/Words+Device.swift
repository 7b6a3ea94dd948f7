import BothyClient
import BothyContract

/// What is said of a device: what it moves, holds and waits for.
extension Words {
    /// One phrase for one, another for several, with their number.
    func counted(_ count: Int, one: Phrase, many: Phrase) -> String {
        count == 1 ? self[one] : filled(many, number(count))
    }

    /// «Files / Letters».
    func place(_ above: [String]) -> String {
        ([self[.files]] + above.map { ShownName.of($0) }).joined(separator: " / ")
    }

    /// «Rename to “b.txt”».
    func deed(_ deed: DeviceTransfer.Deed) -> String {
        switch deed {
        case .upload: self[.deedUpload]
        case .newVersion: self[.deedNewVersion]
        case .download: self[.deedDownload]
        case .createFolder: self[.deedCreateFolder]
        case .move: self[.deedMove]
        case .trash: self[.deedTrash]
        case .restore: self[.deedRestore]
        case .rename(let name): filled(.deedRename, ShownName.of(name))
        case .star(let on): self[on ? .deedStar : .deedUnstar]
        case .hide(let on): self[on ? .deedHide : .deedShow]
        }
    }

    /// How far a transfer is, or what holds it up, in a line.
    ///
    /// - Parameter rate: bytes a second, where it is known.
    func standing(of transfer: DeviceTransfer, rate: Double?, at clock: PersonsClock) -> String {
        switch transfer.state {
        case .waiting:
            let next = transfer.nextAttemptAt.flatMap { $0 > clock.now ? $0 : nil }
            guard let next else { return self[.transferWaiting] }
            let reason = transfer.failure.map { failure($0).text + " " } ?? ""
            return reason + filled(.transferNextAt, date(next, at: clock))
        case .preparing: return self[.transferPreparing]
        case .moving:
            guard let total = transfer.bytesTotal, total > 0 else { return self[.transferSending] }
            return progress(transfer.bytesShown, of: total, rate: rate)
        case .checking: return self[.transferChecking]
        case .paused(let reason): return withProgress(pause(reason), transfer)
        case .held(.pause): return withProgress(self[.transferHeldByPause], transfer)
        case .held(.battery): return withProgress(self[.transferHeldOnBattery], transfer)
        case .held(.metered): return withProgress(self[.transferHeldOnMetered], transfer)
        case .failed: return transfer.failure.map { failure($0).text } ?? self[.transferFailed]
        case .conflict: return transfer.failure.map { failure($0).text } ?? self[.transferConflict]
        case .done: return filled(.transferDone, date(transfer.updatedAt, at: clock))
        case .canceled: return filled(.transferCanceled, date(transfer.updatedAt, at: clock))
        }
    }

    private func pause(_ reason: PauseReason) -> String {
        switch reason {
        case .user: self[.transferPaused]
        case .offline: self[.transferOffline]
        case .serverBusy: self[.transferServerBusy]
        case .tooManyUploads: self[.transferTooMany]
        case .signInNeeded: self[.transferSignIn]
        case .stopped: self[.transferStopped]
        }
    }

    private func withProgress(_ text: String, _ transfer: DeviceTransfer) -> String {
        guard let total = transfer.bytesTotal, transfer.bytesDone > 0 else { return text }
        return text + " · " + filled(.uploadSent, size(transfer.bytesDone), size(total))
    }

    /// What may become of conflicts from now on, and what that means.
    func policy(_ policy: ConflictResolution) -> (label: String, hint: String) {
        switch policy {
        case .ask: (self[.policyAskMe], self[.policyAskMeHint])
        case .fork: (self[.policyBoth], self[.keepBesideHint])
        case .lastWriteWins: (self[.policyLast], self[.policyLastHint])
        case .merge: (self[.policyTexts], self[.policyTextsHint])
        }
    }

    /// What a button for it is called.
    func remedy(_ remedy: TransferRemedy) -> String {
        switch remedy {
        case .pause: self[.pause]
        case .resume: self[.resume]
        case .retry: self[.tryAgain]
        case .startOver: self[.startOver]
        case .cancel: self[.cancel]
        case .decide: self[.decide]
        }
    }
}
