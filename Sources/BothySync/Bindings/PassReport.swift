import BothyClient

/// What a pass came to.
package struct PassReport: Sendable {
    /// nil when there was nothing to do.
    package var passId: Int64?
    package var taken = [Decision]()
    package var failed = [Decision]()
    /// As of the end of the pass: what stands, and what a guard saw.
    package var plan = Plan()
    /// What the server listed and no tree can hold.
    package var misfits = [Misfit]()
    /// Actions that were refused for good in this pass.
    var refused = Set<Action>()

    package init() {}

    /// What was done that a person would call doing something.
    package var deeds: [Decision] { taken.filter { !$0.isBookkeeping } }
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
