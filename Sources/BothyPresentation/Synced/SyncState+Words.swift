import BothyClient
import BothyContract

extension SyncState.Folder {
    init(_ folder: FolderInStep, words: Words, clock: PersonsClock) {
        id = folder.id
        path = ShownName.of(folder.localPath)
        there = ShownName.of(folder.remotePath)
        rules = Self.rules(folder, words)
        let last = folder.inStepAt.map { words.filled(.syncedSince, words.date($0, at: clock)) } ?? words[.syncedNotYet]
        switch folder.state {
        case .unwatched: (tone, detail) = (.waiting, words[.syncedUnwatched] + " · " + last)
        case .inStep where folder.waitingConflicts > 0:
            (tone, detail) = (
                .asking, words.counted(folder.waitingConflicts, one: .syncedChoiceOne, many: .syncedChoiceMany)
            )
            advice = words[.syncedChoiceLead]
        case .inStep: (tone, detail) = (.calm, words[.syncedInStep])
        case .working: (tone, detail) = (.busy, words[.syncedWorking])
        case .waiting(let failure):
            (tone, detail) = (failure.isNetworks ? .waiting : .asking, words.failure(failure).text + " · " + last)
            advice = failure.isNetworks ? nil : words.failure(failure).remedy
        case .held(let saw):
            (tone, detail) = (.asking, words[.syncedHeld])
            stopped = SyncState.Stopped(saw, words)
        case .partly(let failed):
            (tone, detail) = (.waiting, words.counted(failed, one: .syncedPartlyOne, many: .syncedPartlyMany))
        case .lacking(let count):
            (tone, detail) = (.asking, words.counted(count, one: .syncedLackingOne, many: .syncedLackingMany))
            advice = words[.syncedLackingLead]
        }
        if folder.unwatchedFolders > 0 {
            advice = advice ?? words.filled(.syncedPatrolled, String(folder.unwatchedFolders))
        }
    }

    private static func rules(_ folder: FolderInStep, _ words: Words) -> String {
        let conflicts: Phrase =
            switch folder.conflicts {
            case .ask: .policyAsk
            case .fork: .policyFork
            case .lastWriteWins: .policyLastWrite
            case .merge: .policyMerge
            }
        var rules = [words[folder.keepsWhatIsDeletedElsewhere ? .policyDocuments : .policyMirror], words[conflicts]]
        if !folder.exclude.isEmpty {
            rules.append(
                words.filled(
                    .leavesOut, folder.exclude.map { "“\(ShownName.of(words.rule($0)))”" }.joined(separator: ", ")))
        }
        return rules.joined(separator: "; ") + "."
    }
}

extension SyncState.Stopped {
    public init(_ saw: GuardSaw, _ words: Words) {
        self.saw = saw
        (text, lead) = words.saw(saw)
        let passing: (label: Phrase, question: Phrase)? =
            switch saw {
            case .folderVanished, .folderUnmounted: nil
            case .manyDeletions, .folderEmptied: (.letPass, .letPassTitle)
            case .folderReplaced, .tyingTakenBack: (.tieAnew, .tieAnewTitle)
            case .remoteFolderLost: (.makeAnew, .makeAnewTitle)
            }
        bringBack = saw.isOfDeletionsHere ? words[.bringThemBack] : nil
        pass = passing.map { SyncState.Pass(label: words[$0.label], question: words[$0.question]) }
    }
}

extension SyncState.Batch {
    /// - Parameter path: of its folder here; nil where that is no longer synced.
    init(_ pass: FolderPass, path: String?, words: Words, clock: PersonsClock) {
        id = pass.id
        title = ([words.date(pass.at, at: clock)] + (path.map { [ShownName.of($0)] } ?? [])).joined(separator: " · ")
        deeds = pass.deeds.map { SyncState.Deed($0, words) }
        hasMore = pass.hasMore
        mark = pass.isTakenBack ? words[.passTakenBack] : pass.takesBack ? words[.passIsUndoing] : nil
        canTakeBack = !pass.isTakenBack && path != nil
    }
}

extension SyncState.Decision {
    init(_ decision: FolderDecision, words: Words, clock: PersonsClock) {
        id = decision.id
        title = words.date(decision.deed.at, at: clock) + " · " + ShownName.of(decision.path)
        text = SyncState.Deed(decision.deed, words).text
    }
}

extension SyncState.Deed {
    public init(_ deed: FolderDeed, _ words: Words) {
        text = ShownName.of(words.deed(deed.act, deed.reason))
        failure = deed.failure.map { ShownName.of(words.failure($0).text) }
    }
}

extension SyncState.Explanation {
    init(_ told: PlaceExplanation, words: Words, clock: PersonsClock) {
        path = ShownName.of(told.path)
        state = words.state(told.state)
        cause = Self.sentence(words.why(told.cause) { words.moment($0, at: clock) })
        remedy = Self.sentence(words.advice(told.cause))
        var sides: [(Phrase, PlaceExplanation.Side?, Phrase)] = [
            (.whyHere, told.here, told.absentHere), (.whyThere, told.onTheServer, told.absentThere),
            (.whyAgreed, told.agreed, told.waits ? .whyNothingYet : .whyNothing),
        ]
        // Of what lies in no synced folder, nobody has looked at either side.
        if told.state == .outside, sides.allSatisfy({ $0.1 == nil }) { sides = [] }
        self.sides = sides.map { (words[$0.0], Self.text($0.1, absent: $0.2, words, clock)) }
        deeds = told.deeds.map { SyncState.Deed($0, words) }
        isLastKnown = told.isLastKnown
    }

    private static func text(
        _ side: PlaceExplanation.Side?, absent: Phrase, _ words: Words, _ clock: PersonsClock
    ) -> String {
        guard let side else { return words[absent] }
        if side.isFolder { return words[.whyFolder] }
        return words.filled(.whyOf, words.size(side.size), words.moment(side.modifiedAt, at: clock))
    }

    /// With a capital and an end.
    private static func sentence(_ words: String) -> String {
        let text = ShownName.of(words)
        return text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
    }
}

/// What it means that a side has nothing.
extension PlaceExplanation {
    /// It is not synced, and is to be.
    fileprivate var waits: Bool { [.pending, .transferring, .conflict, .failed].contains(state) }

    /// Both sides had it once, in this place.
    private var wasThere: Bool { agreed != nil || state == .gone || state == .moved }

    fileprivate var absentHere: Phrase {
        switch state {
        // Something may lie there that is not looked into, as a socket.
        case .failed, .unsynced, .ignored, .outside: .whyHereUnsynced
        case _ where wasThere: .whyHereNoMore
        default: waits && onTheServer != nil ? .whyHereNotYet : .whyHereNot
        }
    }

    fileprivate var absentThere: Phrase {
        if wasThere { return .whyThereNoMore }
        return waits && here != nil ? .whyThereNotYet : .whyThereNot
    }
}
