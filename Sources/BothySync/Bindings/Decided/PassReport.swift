import BothyClient
import BothyContract

/// What a pass came to.
package struct PassReport: Sendable {
    /// nil when there was nothing to do.
    package var passId: Int64?
    package var taken = [Decision]()
    package var failed = [Decision]()
    /// Transfers that go on beside, or are to.
    package var underWay = 0
    /// Others of those that failed in an earlier pass, and wait for their next try,
    package var resting = [Decision]()
    /// which the first of them is to have after so many seconds.
    package var secondsToRetry: Double?
    /// As of the end of the pass: what stands, and what a guard saw.
    package var plan = Plan()
    /// What the server listed and no tree can hold.
    package var misfits = [Misfit]()
    /// Files of which a conflict is open again by it.
    package var reopened = Set<String>()
    private var refused = Set<Action>()
    /// What found in the last round that something had changed.
    var surprised = [Decision]()
    /// How often an action found that something had changed, though it is planned as before.
    private var surprises = [Action: Int]()
    /// Looks after which the same action that meets a change again is told as failed: what it meets is not seen by any look.
    private static let mostSurprises = 3
    /// Folders of those.
    private var unmade = [Place]()

    package init() {}

    /// It was refused for good in this pass. As soon as the folder that it goes to is made, a plan knows more of that; it is the same.
    mutating func refuse(_ action: Action) {
        refused.insert(action.beforeItsFolderIsMade)
        if action.step.makesFolder { unmade += action.step.places }
    }

    /// - Returns: whether another look at both sides may help it.
    mutating func isWorthAnotherLook(_ decision: Decision) -> Bool {
        surprises[decision.action, default: 0] += 1
        guard surprises[decision.action, default: 0] < Self.mostSurprises else { return false }
        surprised.append(decision)
        return true
    }

    func isRefused(_ action: Action) -> Bool { !refused.isEmpty && refused.contains(action.beforeItsFolderIsMade) }

    /// Whether it goes into a folder that this pass could not make.
    func isInUnmade(_ action: Action) -> Bool {
        action.step.movesBytes || action.step.makesFolder
            ? unmade.contains { action.step.places[0].isWithin($0) } : false
    }

    /// How much was done that a person would call doing something.
    package var countOfDeeds: Int { taken.count { !$0.isBookkeeping } }
}

extension Action {
    fileprivate var beforeItsFolderIsMade: Action {
        guard case .upload(var spot, let mine, let over, let old) = step else { return self }
        spot.folderId = nil
        return Action(.upload(at: spot, mine: mine, over: over, insteadOf: old), reason)
    }
}

extension ClientFailure {
    /// Something has moved on since the plan was made: look, and plan again.
    var asksForAnotherLook: Bool {
        switch code {
        case .changedMeanwhile, .revisionConflict, .nameConflict, .parentGone, .notFound, .destinationExists,
            .destinationFolderMissing, .destinationIsAFolder, .fileMissing, .sourceChanged, .notAFolder, .notAFile:
            true
        default: problem?.code == .idempotencyMismatch
        }
    }

    /// It is about this one item; the others can go on.
    var isOfOneItem: Bool {
        if asksForAnotherLook { return true }
        switch code {
        case .offline, .serverBusy, .serverFailed, .untrustedServer, .redirected, .signInNeeded, .wrongCredentials,
            .accountRefused, .homeUnusable, .homeNewer, .canceled:
            return false
        default: return true
        }
    }
}
