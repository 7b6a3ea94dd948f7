import BothyClient

extension ItemStatus.Cause {
    /// The kinds of causes, so that all can be told: a new cause does not compile without a kind, nor a kind without its
    /// causes.
    package enum Kind: CaseIterable, Sendable {
        case atRest, planned, along, conflict, unsynced, leftOut, held, guarded, gone, moved, own, unknown,
            onTheServer, outside
    }

    package var kind: Kind {
        switch self {
        case .atRest: .atRest
        case .planned: .planned
        case .along: .along
        case .conflict: .conflict
        case .unsynced: .unsynced
        case .leftOut: .leftOut
        case .held: .held
        case .guarded: .guarded
        case .gone: .gone
        case .moved: .moved
        case .own: .own
        case .unknown: .unknown
        case .onTheServer: .onTheServer
        case .outside: .outside
        }
    }

    /// Every cause of a kind, with an example where it names something.
    package static func every(_ kind: Kind) -> [ItemStatus.Cause] {
        switch kind {
        case .atRest: [.atRest]
        case .planned: Reason.allCases.filter(\.isHowSomethingStands).map(Self.planned)
        case .along: Reason.allCases.filter(\.takesAFolderAlong).map { .along("docs", $0) }
        case .conflict: [.conflict]
        case .unsynced: UnsyncedReason.allCases.map(Self.unsynced)
        case .leftOut: [.leftOut(rule: "*.o", source: IgnoreRules.fileName.text)]
        case .held: HoldReason.allCases.map(Self.held)
        case .guarded: Guard.Sighting.every.map(Self.guarded)
        case .gone: Reason.allCases.filter(\.takesAway).map(Self.gone)
        case .moved: [.moved("docs/a.txt")]
        case .own: [.own]
        case .unknown: [.unknown]
        case .onTheServer: [.onTheServer]
        case .outside: [.outside]
        }
    }

    package static var every: [ItemStatus.Cause] { Kind.allCases.flatMap(every) }
}

extension Reason {
    /// Whether something that is planned by it stands so. What is left out from now on, or stays unsynced, has a cause of its own then, and
    /// what takes a pass back is never planned.
    fileprivate var isHowSomethingStands: Bool {
        switch self {
        case .leftOutNow, .holdsWhatIsNotSynced, .rememberedAsDeleted, .takenBack: false
        default: true
        }
    }

    /// Whether something that was there before is nowhere afterwards.
    fileprivate var takesAway: Bool {
        switch self {
        case .deletedHere, .deletedThere, .deletedOnBothSides, .deletionConfirmed, .takenBack: true
        default: false
        }
    }
}

extension Reason {
    /// Whether a folder that is moved, or goes, by it takes along what is in it; or a file makes way by it for a folder.
    fileprivate var takesAFolderAlong: Bool {
        switch self {
        case .movedHere, .movedThere, .movedOnBothSides, .moveCycle, .nameMakesWay, .deletedHere, .deletedThere,
            .deletedOnBothSides, .deletionConfirmed, .replacedThere:
            true
        default: false
        }
    }
}

extension Guard.Sighting {
    package enum Kind: CaseIterable, Sendable {
        case manyDeletions, rootVanished, rootUnmounted, rootReplaced, rootEmptied, remoteRootLost, linkTakenBack
    }

    package var kind: Kind {
        switch self {
        case .manyDeletions: .manyDeletions
        case .rootVanished: .rootVanished
        case .rootUnmounted: .rootUnmounted
        case .rootReplaced: .rootReplaced
        case .rootEmptied: .rootEmptied
        case .remoteRootLost: .remoteRootLost
        case .linkTakenBack: .linkTakenBack
        }
    }

    /// Every sighting, with an example of what was counted.
    package static var every: [Guard.Sighting] {
        Kind.allCases.flatMap { kind -> [Guard.Sighting] in
            switch kind {
            case .manyDeletions:
                [0, 5, 51].flatMap { (overwritten: Int) -> [Guard.Sighting] in
                    var tally = Guard.Tally(planned: 51, overwritten: overwritten, lately: 0, known: 200)
                    let sides = Guard.Direction.allCases.map { Guard.Sighting.manyDeletions($0, tally) }
                    let both = Guard.Sighting.manyDeletions(.here, tally, other: tally)
                    guard tally.losses > 0 else { return sides + [both] }
                    tally.emptied = tally.losses
                    return sides + [both] + Guard.Direction.allCases.map { .manyDeletions($0, tally) }
                }
            case .rootVanished: [.rootVanished]
            case .rootUnmounted: [.rootUnmounted]
            case .rootReplaced: [.rootReplaced]
            case .rootEmptied: [.rootEmptied]
            case .remoteRootLost: [.remoteRootLost]
            case .linkTakenBack: [.linkTakenBack]
            }
        }
    }
}
