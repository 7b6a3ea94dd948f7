import BothyClient
import BothyContract

extension Binding {
    /// What waits for a person in a folder.
    package struct Waiting: Codable, Equatable, Sendable {
        /// What a guard has stopped at.
        package var sighting: Guard.Sighting?
        /// Sides on which it holds something back until somebody confirms it: see `Plan.held`.
        package var held: Set<Guard.Direction> = []
        /// Files that were changed on both sides, and that nobody has decided about.
        package var conflicts = 0
        /// What stays here although it was deleted elsewhere, until somebody confirms.
        package var unsynced = 0
        /// What one side has and the other cannot have, before somebody does something about it.
        package var unable = 0
        /// What stays here alone since a person took back that it was sent: nobody is asked about that any more.
        package var takenBack = 0
        /// Files that wait until nobody writes to them any more.
        package var beingWritten = 0
        /// Files that are not replaced or taken away until a program closes them.
        package var inUse = 0
        /// What else could not be done, and is tried again.
        package var failed = 0
        /// Large files that were still on their way, beside the passes.
        package var underWay = 0
        /// Where something was not done: when a pass last came to its end after which all was.
        package var inStepBefore: Timestamp?

        package init() {}

        package init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            sighting = try values.decodeIfPresent(Guard.Sighting.self, forKey: .sighting)
            conflicts = try values.decode(Int.self, forKey: .conflicts)
            unsynced = try values.decode(Int.self, forKey: .unsynced)
            // What was written down before they were counted is looked at again soon.
            unable = try values.decodeIfPresent(Int.self, forKey: .unable) ?? 0
            takenBack = try values.decodeIfPresent(Int.self, forKey: .takenBack) ?? 0
            beingWritten = try values.decodeIfPresent(Int.self, forKey: .beingWritten) ?? 0
            inUse = try values.decodeIfPresent(Int.self, forKey: .inUse) ?? 0
            failed = try values.decodeIfPresent(Int.self, forKey: .failed) ?? 0
            underWay = try values.decodeIfPresent(Int.self, forKey: .underWay) ?? 0
            inStepBefore = try values.decodeIfPresent(Timestamp.self, forKey: .inStepBefore)
            // What was written down before it was remembered names one side alone.
            held =
                try values.decodeIfPresent(Set<Guard.Direction>.self, forKey: .held)
                ?? Set([sighting?.direction].compactMap(\.self))
        }

        package init(_ report: PassReport) {
            let plan = report.plan
            sighting = plan.sighting
            held = plan.held
            conflicts = plan.conflicts.count
            unsynced = plan.standing.values.count(where: \.waitsUnsynced)
            unable =
                plan.standing.values.count(where: \.asksForADeed) + report.misfits.count(where: \.reason.asksForADeed)
            takenBack = plan.standing.values.count { $0 == .unsynced(.takenBack) }
            beingWritten = plan.standing.values.count { $0 == .held(.beingWritten) }
            let openedMeanwhile = report.failed.count { $0.trace.failure?.code == .fileInUse }
            inUse = plan.standing.values.count { $0 == .held(.inUse) } + openedMeanwhile
            failed = report.failed.count - openedMeanwhile + report.resting.count
            underWay = report.underWay
        }

        /// Whether all was done that could be.
        package var isThrough: Bool { sighting == nil && failed + inUse + underWay == 0 }

        /// Whether anything of it is a person's to do, or to know.
        package var asks: Bool { isUnsettled || failed > 0 }

        /// Whether something waits that no action is planned for.
        package var isUnsettled: Bool { sighting != nil || conflicts + unsynced + unable > 0 }

        /// For a person, as a sentence without its end; nil where there is nothing to tell.
        package var words: String? {
            let parts = [
                sighting?.words,
                Self.counted(failed, "1 could not be synced", "could not be synced"),
                Self.counted(underWay, "1 large file is being transferred", "large files are being transferred"),
                Self.counted(beingWritten, "1 file is still being written", "files are still being written"),
                Self.counted(
                    inUse, "1 file is open in a program", "files are open in programs"),
                Self.counted(conflicts, "1 file is in conflict", "files are in conflict"),
                Self.counted(unsynced, "1 file stays here unsynced", "files stay here unsynced"),
                Self.counted(unable, "1 item cannot be synced", "items cannot be synced"),
                Self.counted(
                    takenBack, "1 file stays only here, as you undid its upload",
                    "files stay only here, as you undid their upload"),
            ].compactMap(\.self)
            return parts.isEmpty ? nil : parts.joined(separator: "; ")
        }

        /// What nobody need do anything about, and may wonder at; nil for nothing, and where there is more to say.
        package var aside: String? { asks ? nil : words }

        private static func counted(_ count: Int, _ one: String, _ many: String) -> String? {
            count == 0 ? nil : count == 1 ? one : "\(count) \(many)"
        }
    }
}

extension Binding {
    /// When a pass last came to its end after which all was done.
    package var inStepAt: Timestamp? { waits.isThrough ? passedAt : waits.inStepBefore }
}

extension HoldReason {
    /// It stays so until a person does something about it. What is of a kind that is never synced does not: that is a rule, and
    /// not a fault.
    fileprivate var asksForADeed: Bool { self == .rulesLoosened || ItemStatus(.held(self)).state == .failed }
}

extension Standing {
    fileprivate var asksForADeed: Bool { if case .held(let reason) = self { reason.asksForADeed } else { false } }
}
