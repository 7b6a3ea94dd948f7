/// What is to be done to make both sides meet, and what is left as it is.
package struct Plan: Equatable, Sendable {
    /// In the order in which they are taken.
    package var actions: [Action] = []
    /// What is not at rest and has no action: a conflict that waits for a person, an unsynced file, something held.
    /// Whatever is in neither list is synced.
    package var standing: [Place: Standing] = [:]
    /// What the guard saw where it holds; the deletions that it holds are not among the actions.
    package var sighting: Guard.Sighting?
    /// What was not at rest when it was made: the next plan is over this, and over what changes until then. Nil where no
    /// tree was looked at, since a root is not as it was: then the next plan is over everything.
    package var unsettled: Touched?
    /// While a folder is linked anew, what one side still lacks, or has an older state of. Linking may end with it only when it is
    /// no longer agreed on: to the next plan it would be deleted, or edited there.
    package var unmet: [Action] = []

    package init() {}

    /// At rest: nothing to do, whatever waits for a person.
    package var isEmpty: Bool { actions.isEmpty }
}

/// How something stands that no action is planned for.
package enum Standing: Hashable, Codable, Sendable {
    case held(HoldReason)
    /// Both sides changed it, and a person is to choose.
    case conflict(mine: LocalFingerprint, theirs: RemoteFingerprint)
    case unsynced(UnsyncedReason)
    /// The rule that leaves it out, as it is written, and where that is.
    case ignored(rule: String, source: String)
}
