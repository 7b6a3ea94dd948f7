import BothyClient

/// What is to be done to make both sides meet, and what is left as it is.
package struct Plan: Equatable, Sendable {
    /// In the order in which they are taken.
    package var actions: [Action] = []
    /// What is not at rest and has no action: a conflict that waits for a person, an unsynced file, something held.
    /// Whatever is in neither list is synced.
    package var standing: [Place: Standing] = [:]
    /// What waits until a program closes a file; not among the actions.
    package var inUse: [Action] = []
    /// What the guard saw where it holds; the deletions that it holds are not among the actions.
    package var sighting: Guard.Sighting?
    /// Sides on which something is held back that nobody has confirmed. The next look is told of them: what is held stays held until
    /// it is confirmed, or is there again.
    package var held: Set<Guard.Direction> = []
    /// How what was deleted on either side waits for more; nil where it goes at once.
    package var lulls: DeletionLulls?
    /// What was not at rest when it was made: the next plan is over this, and over what changes until then. Nil where no
    /// tree was looked at, since a root is not as it was: then the next plan is over everything.
    package var unsettled: Touched?
    /// While a folder is linked anew, what one side still lacks, or has an older state of. Linking may end with it only when it is
    /// no longer agreed on: to the next plan it would be deleted, or edited there.
    package var unmet: [Action] = []

    package init() {}

    /// Something was deleted a moment ago, and what a guard would say of it is not known yet.
    package var waitsForMore: Bool { lulls?.isWaiting ?? false }

    /// At rest: nothing to do, whatever waits for a person.
    package var isEmpty: Bool { actions.isEmpty }
}

/// How something stands that no action is planned for.
package enum Standing: Hashable, Codable, Sendable {
    case held(HoldReason)
    /// Both sides changed it, and a person is to choose.
    case conflict(mine: LocalFingerprint, theirs: RemoteFingerprint)
    case unsynced(UnsyncedReason)
    /// The rule that leaves it out, and where that is written.
    case ignored(rule: LeavingRule, source: String)

    package var isIgnored: Bool { if case .ignored = self { true } else { false } }

    /// Whether each pass tells of it. What a rule leaves out is summed up; who took back that something was sent knows.
    package var isTold: Bool { !isIgnored && self != .unsynced(.takenBack) }

    /// Whether it stays so until a person or another device does something.
    package var isLasting: Bool { urgency != 2 || self == .held(.rulesLoosened) }

    /// What a person has to decide comes before what passes by itself, and that before what is left alone for good.
    package var urgency: Int {
        switch ItemStatus(cause).state {
        case .conflict: 0
        case .unsynced, .failed: 1
        case .pending, .transferring, .synced, .gone, .moved, .unknown, .outside: 2
        case .ignored: 3
        }
    }

    /// Whether a person is still to say what becomes of it. Who took back that it was sent has said so.
    package var waitsUnsynced: Bool {
        switch self {
        case .unsynced(.takenBack): false
        case .unsynced: true
        case .held, .conflict, .ignored: false
        }
    }
}
