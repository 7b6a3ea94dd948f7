import BothyClient

extension ItemStatus.Cause {
    /// The kinds of causes, so that all can be told: a new cause does not compile without a kind, nor a kind without its
    /// causes.
    package enum Kind: CaseIterable, Sendable {
        case atRest, planned, conflict, unsynced, leftOut, held, guarded, gone, moved, own, unknown,
            onTheServer, outside
    }

    package var kind: Kind {
        switch self {
        case .atRest: .atRest
        case .planned: .planned
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
        case .planned: Reason.allCases.map(Self.planned)
        case .conflict: [.conflict]
        case .unsynced: UnsyncedReason.allCases.map(Self.unsynced)
        case .leftOut: [.leftOut(rule: "*.o", source: IgnoreRules.fileName.text)]
        case .held: HoldReason.allCases.map(Self.held)
        case .guarded: Guard.Sighting.every.map(Self.guarded)
        case .gone: Reason.allCases.map(Self.gone)
        case .moved: [.moved("docs/a.txt")]
        case .own: [.own]
        case .unknown: [.unknown]
        case .onTheServer: [.onTheServer]
        case .outside: [.outside]
        }
    }

    package static var every: [ItemStatus.Cause] { Kind.allCases.flatMap(every) }
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
                    let tally = Guard.Tally(planned: 51, overwritten: overwritten, lately: 0, known: 200)
                    let sides = Guard.Direction.allCases.map { Guard.Sighting.manyDeletions($0, tally) }
                    return sides + [.manyDeletions(.here, tally, other: tally)]
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
