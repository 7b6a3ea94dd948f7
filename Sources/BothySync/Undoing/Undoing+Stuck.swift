extension Undoing {
    /// Steps that could not be taken back, and what waits with them.
    ///
    /// Places are those of the moment at which their turn comes: what goes on without a step that it builds on finds
    /// something else there, and would take that for somebody's change.
    package struct Stuck: Sendable {
        /// Steps of which nobody else takes the other side back.
        private var steps: Set<Step> = []
        /// Those that may go well another time.
        private var waiting: [Turn] = []

        package init() {}

        /// - Parameter isForGood: others have changed what it is about: nothing that comes after it has to wait.
        package mutating func note(_ turn: Turn, of step: Step, isForGood: Bool) {
            steps.insert(step)
            if !isForGood { waiting.append(turn) }
        }

        /// What cannot come back here does not come back on the server alone.
        package func leavesOut(_ turn: Turn, of step: Step) -> Bool { turn.bringsBackThere && steps.contains(step) }

        /// Where something is that a turn has to wait for.
        package func place(blocking turn: Turn) -> Place? {
            waiting.first { $0.subject == turn.subject || $0.meets(turn) }?.reversals[0].places[0]
        }
    }
}

extension Undoing.Turn {
    /// Whether one is about what the other is in, on the same side, or has the name that the other is to get, or brings back
    /// what may hold the folder that the other goes to.
    fileprivate func meets(_ other: Self) -> Bool {
        reversals.contains { mine in
            other.reversals.contains { its in
                guard mine.changesTheServer == its.changesTheServer else { return false }
                if mine.bringsBackThere, its.changesFolderThere { return true }
                return mine.places.contains { place in
                    place.name == its.nameThere || its.places.contains { $0.isRelated(to: place) }
                }
            }
        }
    }
}

extension Reversal {
    /// What something is called on the server then: of its folder only that knows where it is by now.
    fileprivate var nameThere: NodeName? { if case .moveThere(_, _, _, let to) = self { to.name } else { nil } }

    fileprivate var changesFolderThere: Bool {
        if case .moveThere(_, _, let from, let to) = self { from.folderId != to.folderId } else { false }
    }

    fileprivate var bringsBackThere: Bool {
        switch self {
        case .untrashThere, .rejoinThere: true
        default: false
        }
    }
}

extension Place {
    fileprivate func isRelated(to other: Place) -> Bool { isWithin(other) || other.isWithin(self) }
}
