import BothyClient
import BothyContract

/// What is said of synced folders. Sentences are without capital and end, which they get where they are shown; names stand in
/// them as they are.
extension Words {
    /// A text for every reason.
    struct Reasons: Sendable {
        var deeds: [DeedReason: String]
        /// Why, and what to do on a screen.
        var holds: [HoldReason: (why: String, advice: String)]
        var unsynced: [UnsyncedReason: (why: String, advice: String)]

        var isWhole: Bool {
            deeds.count == DeedReason.allCases.count && holds.count == HoldReason.allCases.count
                && unsynced.count == UnsyncedReason.allCases.count
        }
    }

    private static func said<Text>(_ text: Text?) -> Text {
        guard let text else { preconditionFailure("checked when the catalogue was made") }
        return text
    }

    // MARK: - What was done

    /// «it was edited here».
    public func reason(_ reason: DeedReason) -> String { Self.said(reasons.deeds[reason]) }

    /// «sent docs/a.txt: it was edited here».
    public func deed(_ act: FolderAct, _ reason: DeedReason) -> String {
        // That says why itself.
        if act.kind == .couldNotMerge { return self.act(act) }
        return filled(.deedWithReason, self.act(act), self.reason(reason))
    }

    /// «sent docs/a.txt».
    public func act(_ act: FolderAct) -> String {
        switch act.kind {
        case .agreed: filled(.didAgree, act.place)
        case .agreedAnew: filled(.didAgreeAnew, act.place)
        case .forgot: filled(.didForget, act.place)
        case .leftOut: filled(.didLeaveOut, act.place)
        case .keptUnsynced: filled(.didKeepUnsynced, act.place)
        case .sent: filled(.didSend, act.place)
        case .sentNewVersion: filled(.didSendVersion, act.place)
        case .fetched: filled(.didFetch, act.place)
        case .fetchedNewVersion: filled(.didFetchVersion, act.place)
        case .merged: filled(.didMerge, act.place)
        case .couldNotMerge: filled(.couldNotMerge, act.place)
        case .madeFolderHere: filled(.didMakeFolderHere, act.place)
        case .madeFolderThere: filled(.didMakeFolderThere, act.place)
        case .movedHere(let from): filled(.didMoveHere, act.place, from)
        case .movedThere(let from): filled(.didMoveThere, act.place, from)
        case .placedThere: filled(.didPlaceThere, act.place)
        case .setAside(let from): filled(.didSetAside, act.place, from)
        case .trashedHere(let count): trashed(act, count, one: .didTrashHere, many: .didTrashHereMany)
        case .trashedThere(let count): trashed(act, count, one: .didTrashThere, many: .didTrashThereMany)
        case .untrashedThere: filled(.didBringBackThere, act.place)
        case .touchedHere: filled(.didTouchHere, act.place)
        case .touchedThere: filled(.didTouchThere, act.place)
        case .tookBack(let taken): tookBack(taken, at: act.place)
        }
    }

    /// What is not done yet: «would send docs/a.txt».
    public func would(_ act: FolderAct) -> String {
        switch act.kind {
        case .agreed, .agreedAnew: filled(.wouldAgree, act.place)
        case .forgot: filled(.wouldForget, act.place)
        case .leftOut: filled(.wouldLeaveOut, act.place)
        case .keptUnsynced: filled(.wouldKeepUnsynced, act.place)
        case .sent: filled(.wouldSend, act.place)
        case .sentNewVersion: filled(.wouldSendVersion, act.place)
        case .fetched: filled(.wouldFetch, act.place)
        case .fetchedNewVersion: filled(.wouldFetchVersion, act.place)
        case .merged: filled(.wouldMerge, act.place)
        // That is known already.
        case .couldNotMerge: self.act(act)
        case .madeFolderHere: filled(.wouldMakeFolderHere, act.place)
        case .madeFolderThere: filled(.wouldMakeFolderThere, act.place)
        case .movedHere(let from): filled(.wouldMoveHere, act.place, from)
        case .movedThere(let from): filled(.wouldMoveThere, act.place, from)
        case .placedThere: filled(.wouldPlaceThere, act.place)
        case .setAside(let from): filled(.wouldSetAside, act.place, from)
        case .trashedHere(let count): trashed(act, count, one: .wouldTrashHere, many: .wouldTrashHereMany)
        case .trashedThere(let count): trashed(act, count, one: .wouldTrashThere, many: .wouldTrashThereMany)
        case .untrashedThere: filled(.wouldBringBackThere, act.place)
        case .touchedHere: filled(.wouldTouchHere, act.place)
        case .touchedThere: filled(.wouldTouchThere, act.place)
        case .tookBack: filled(.wouldTakeBack, act.place)
        }
    }

    private func trashed(_ act: FolderAct, _ count: Int, one: Phrase, many: Phrase) -> String {
        count > 1 ? filled(many, act.place, String(count - 1)) : filled(one, act.place)
    }

    private func tookBack(_ taken: FolderAct.TakenBack, at place: String) -> String {
        switch taken {
        case .removedEmptiedFolder: filled(.didRemoveEmptied, place)
        case .remadeFolder: filled(.didRemakeFolder, place)
        case .untrashed: filled(.didUntrashHere, place)
        case .moved(let from): filled(.didMoveBackHere, place, from)
        case .touched: filled(.didTouchBackHere, place)
        case .broughtBackOverTrashed: filled(.didBringBackOverTrashed, place)
        case .broughtBackOverKept: filled(.didBringBackOverKept, place)
        case .withdrew: filled(.didWithdraw, place)
        case .trashedCopy: filled(.didTrashCopy, place)
        case .trashedAgain: filled(.didTrashAgain, place)
        case .untrashedThere: filled(.didUntrashThere, place)
        case .setOlderContent: filled(.didSetOlder, place)
        case .movedThere(nil): filled(.didMoveBackThere, place)
        case .movedThere(let name?): filled(.didMoveBackThereAs, place, name)
        case .touchedThere: filled(.didTouchBackThere, place)
        }
    }

    // MARK: - Why

    /// Why something is as it is.
    ///
    /// - Parameter moment: tells a time as the page does.
    public func why(_ cause: PlaceCause, moment: (Timestamp) -> String) -> String {
        switch cause {
        case .atRest: self[.causeAtRest]
        case .planned(let reason): self.reason(reason)
        case .conflict: self[.causeConflict]
        case .conflictOfNewFiles: self[.causeConflictOfNewFiles]
        case .unsynced(let reason): Self.said(reasons.unsynced[reason]).why
        case .leftOut(.formerPattern(let pattern), let source): filled(.causeLeftOutBefore, pattern, source)
        case .leftOut(let rule, let source): filled(.causeLeftOut, self.rule(rule), source)
        case .held(let reason): Self.said(reasons.holds[reason]).why
        case .placeTaken(let reason): filled(.causePlaceTaken, Self.said(reasons.holds[reason]).why)
        case .guarded(let saw): self.saw(saw).text
        case .gone(let reason): filled(.causeGone, self.reason(reason))
        case .moved(let place): filled(.causeMoved, place)
        case .own: self[.causeOwn]
        case .unknown: self[.causeUnknown]
        case .onTheServer: self[.causeOnTheServer]
        case .outside: self[.causeOutside]
        case .failed(let failure): filled(.causeFailed, self.failure(failure).text)
        case .devicePaused(let until): until.map { filled(.causePausedUntil, moment($0)) } ?? self[.causePaused]
        case .deviceRests(let rest): self[rest == .battery ? .causeOnBattery : .causeOnMetered]
        case .nobodyAtWork: self[.causeNobodyAtWork]
        case .offline(let failure):
            // That it cannot be reached is all that there is to say.
            failure.code == .offline
                ? self[.causeOffline] : filled(.causeOfflineBecause, self.failure(failure).text)
        case .refused(let failure): filled(.causeRefused, self.failure(failure).text)
        case .transfer(let state): self[Self.moving(state)]
        case .operation(let state): self[Self.typed(state)]
        case .below(let count, let place, let cause):
            filled(
                count == 1 ? .causeBelowOne : .causeBelowMany, place, why(cause, moment: moment), number(count))
        case .above(let place, let cause): filled(.causeAbove, place, why(cause, moment: moment))
        case .along(let place, let reason): filled(.causeAlong, place, self.reason(reason))
        case .elsewhere(let place, let cause): filled(.causeElsewhere, place, why(cause, moment: moment))
        }
    }

    /// How something in a synced folder stands, at a glance.
    public func state(_ state: PlaceExplanation.State) -> String {
        switch state {
        case .synced: self[.stateSynced]
        case .pending: self[.statePending]
        case .transferring: self[.stateTransferring]
        case .conflict: self[.stateConflict]
        case .unsynced: self[.stateUnsynced]
        case .ignored: self[.stateIgnored]
        case .failed: self[.stateFailed]
        case .gone: self[.stateGone]
        case .moved: self[.stateMoved]
        case .unknown: self[.stateUnknown]
        case .outside: self[.stateOutside]
        }
    }

    /// What leaves files out, as it is written, or «files above 100 MiB».
    public func rule(_ rule: LeavingRule) -> String {
        switch rule {
        case .pattern(let pattern), .formerPattern(let pattern): pattern
        case .largerThan(let bytes): filled(.ruleLargerThan, exact(bytes))
        }
    }

    /// As it was typed: in powers of 1024 (IEC 80000-13).
    private func exact(_ bytes: Int64) -> String {
        var (size, unit) = (bytes, 0)
        while size > 0, size.isMultiple(of: 1024), unit + 1 < binaryUnits.count {
            (size, unit) = (size / 1024, unit + 1)
        }
        return "\(size) \(binaryUnits[unit])"
    }

    private static func moving(_ state: TransferState) -> Phrase {
        switch state {
        case .queued: .movingQueued
        case .preparing: .movingPreparing
        case .transferring: .movingNow
        case .verifying: .movingChecking
        case .paused(.user): .movingPaused
        case .paused(.offline): .movingOffline
        case .paused(.serverBusy): .movingServerBusy
        case .paused(.tooManyUploads): .movingTooMany
        case .paused(.signInNeeded): .movingSignIn
        case .paused(.stopped): .movingStopped
        case .completed: .movingDone
        case .failed: .movingFailed
        case .canceled: .movingCanceled
        }
    }

    private static func typed(_ state: JournalOperation.State) -> Phrase {
        switch state {
        case .queued: .typedQueued
        case .sending: .typedSending
        case .acknowledged: .typedDone
        case .conflict: .typedConflict
        case .parked: .typedParked
        }
    }

    // MARK: - What to do

    /// What a person can do about it on a screen.
    func advice(_ cause: PlaceCause) -> String {
        switch cause {
        case .atRest, .moved, .own: self[.adviceNothing]
        case .planned, .along: self[.adviceNext]
        case .conflict, .conflictOfNewFiles: self[.adviceConflict]
        case .unsynced(let reason): Self.said(reasons.unsynced[reason]).advice
        case .leftOut: self[.adviceLeftOut]
        case .held(let reason): Self.said(reasons.holds[reason]).advice
        case .placeTaken: Self.said(reasons.holds[.placeTaken]).advice
        case .guarded(let saw): self.saw(saw).lead
        case .gone: self[.adviceGone]
        case .unknown: self[.adviceUnknown]
        case .onTheServer: self[.adviceOnTheServer]
        case .outside: self[.adviceOutside]
        case .failed(let failure), .refused(let failure): self.failure(failure).remedy ?? self[.adviceNothing]
        case .offline: self[.adviceOffline]
        case .devicePaused: self[.advicePaused]
        case .deviceRests(let rest): self[rest == .battery ? .adviceOnBattery : .adviceOnMetered]
        case .nobodyAtWork: self[.adviceNobodyAtWork]
        case .transfer(let state): self[Self.advice(state)]
        case .operation(let state): self[Self.advice(state)]
        case .below(_, _, let cause), .above(_, let cause), .elsewhere(_, let cause): advice(cause)
        }
    }

    private static func advice(_ state: TransferState) -> Phrase {
        switch state {
        case .queued, .preparing, .transferring, .verifying, .paused(.offline), .paused(.serverBusy): .adviceMoving
        case .paused(.tooManyUploads): .adviceTooMany
        case .paused(.user), .paused(.stopped): .adviceMovingHeld
        case .paused(.signInNeeded): .adviceSignIn
        case .completed, .canceled: .adviceNothing
        case .failed: .adviceMovingFailed
        }
    }

    private static func advice(_ state: JournalOperation.State) -> Phrase {
        switch state {
        case .queued, .sending: .adviceTyped
        case .acknowledged: .adviceNothing
        case .conflict: .adviceConflict
        case .parked: .adviceParked
        }
    }

    // MARK: - Guards

    /// What a guard saw, and what to do: whole sentences.
    func saw(_ saw: GuardSaw) -> (text: String, lead: String) {
        switch saw {
        case .manyDeletions:
            let deleting = saw.sides.filter { $0.tally.lost > 0 }
            return (saw.sides.map(goes).joined(separator: " "), self[Self.lead(deleting.map(\.side))])
        case .folderVanished: return (self[.guardVanished], self[.guardVanishedLead])
        case .folderUnmounted: return (self[.guardUnmounted], self[.guardUnmountedLead])
        case .folderReplaced: return (self[.guardReplaced], self[.guardReplacedLead])
        case .folderEmptied: return (self[.guardEmptied], self[.guardEmptiedLead])
        case .remoteFolderLost: return (self[.guardRemoteLost], self[.guardRemoteLostLead])
        case .tyingTakenBack: return (self[.guardTakenBack], self[.guardTakenBackLead])
        }
    }

    /// - Parameter sides: where something would be deleted: it was deleted on the other.
    private static func lead(_ sides: [GuardSaw.Side]) -> Phrase {
        switch sides {
        case []: .guardOverwritesLead
        case [.here]: .guardDeletionsHereLead
        case [.onTheServer]: .guardDeletionsThereLead
        default: .guardDeletionsBothLead
        }
    }

    private func goes(_ side: GuardSaw.Side, _ tally: GuardSaw.Tally) -> String {
        var told = [String]()
        if tally.deleted > 0 || tally.overwritten + tally.emptied == 0 {
            told.append(filled(side == .here ? .guardHere : .guardThere, String(tally.deleted), String(tally.known)))
        }
        if tally.emptied > 0 {
            let phrase = side == .here ? Phrase.guardFilesEmptiedHere : .guardFilesEmptiedThere
            told.append(filled(phrase, String(tally.emptied)))
        }
        if tally.overwritten > 0 {
            let phrase = side == .here ? Phrase.guardOverwrittenHere : .guardOverwrittenThere
            told.append(filled(phrase, String(tally.overwritten)))
        }
        if tally.lately > 0 { told.append(filled(.guardLately, String(tally.lately))) }
        return told.joined(separator: " ")
    }
}
