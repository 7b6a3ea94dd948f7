import BothyContract

/// Holds back what would take much away at once, and says what it saw.
///
/// Pure: how much went lately and how the roots look is told; what it saw is its answer. A person who confirms it confirms exactly
/// that sighting.
package enum Guard {
    /// Which side would lose something.
    package enum Direction: String, Codable, CaseIterable, Sendable {
        case here, onTheServer
    }

    /// What a guard saw where it holds.
    package enum Sighting: Hashable, Codable, Sendable {
        case manyDeletions(Direction, Tally)
        case rootVanished, rootUnmounted, rootReplaced, rootEmptied
        case remoteRootLost
        /// A person took back that the two sides were tied together. What has gone by that was no deletion.
        case linkTakenBack

        /// Whether both sides are there, and it is about what would go.
        package var isAboutDeletions: Bool {
            switch self {
            case .manyDeletions, .rootEmptied: true
            case .rootVanished, .rootUnmounted, .rootReplaced, .remoteRootLost, .linkTakenBack: false
            }
        }

        /// Whether who was told `other` knows it: as much would go as then, or less, of however many files.
        package func isKnown(from other: Sighting) -> Bool {
            guard case .manyDeletions(let direction, let tally) = self else { return self == other }
            return Guard.isCovered(direction, tally, by: other)
        }

        /// The side on which something would go; nil where it is about the roots alone.
        var direction: Direction? {
            switch self {
            case .manyDeletions(let direction, _): direction
            case .rootEmptied: .onTheServer
            case .rootVanished, .rootUnmounted, .rootReplaced, .remoteRootLost, .linkTakenBack: nil
            }
        }

        /// The side of which it says how much has gone lately.
        var tallied: Direction? { if case .manyDeletions(let direction, _) = self { direction } else { nil } }

        /// What stands in the place of the folder here, if anything does, says nothing of what was done in it.
        var isOfAnotherFolder: Bool {
            switch self {
            case .rootVanished, .rootUnmounted, .rootReplaced: true
            case .rootEmptied, .remoteRootLost, .manyDeletions, .linkTakenBack: false
            }
        }
    }

    /// How much goes, files and folders, each with what is below it.
    package struct Tally: Hashable, Codable, Sendable {
        /// In this plan.
        package var planned: Int
        /// Of those, files that would be overwritten with what their editor had not seen.
        package var overwritten: Int
        /// Unconfirmed in the 24 hours before.
        package var lately: Int
        /// All that both sides agreed on.
        package var known: Int

        package init(planned: Int, overwritten: Int = 0, lately: Int, known: Int) {
            self.planned = planned
            self.overwritten = overwritten
            self.lately = lately
            self.known = known
        }

        package init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            planned = try values.decode(Int.self, forKey: .planned)
            // What was written down before they were told apart counts as deletions.
            overwritten = try values.decodeIfPresent(Int.self, forKey: .overwritten) ?? 0
            lately = try values.decode(Int.self, forKey: .lately)
            known = try values.decode(Int.self, forKey: .known)
        }

        var deletions: Int { planned - overwritten }
    }

    /// When it holds.
    package struct Limits: Equatable, Sendable {
        /// Unconfirmed deletions and overwrites in 24 hours that pass.
        package var mostInADay = 50
        /// Of a tree of `smallTree` or more, one part in this many is too much in a day.
        package var part = 4
        package var smallTree = 20

        package init() {}
    }

    /// What is told to a guard.
    package struct Circumstances: Equatable, Sendable {
        /// Unconfirmed deletions and overwrites of the last 24 hours of lived time.
        package var lately: [Direction: Int]
        package var localRoot: LocalRoot
        package var isRemoteRootThere: Bool
        package var isLinkTakenBack = false
        /// What a person has seen and confirmed.
        package var confirmed: Set<Sighting>
        /// Sides on which something was held back at the last look: see `Plan.held`.
        package var held: Set<Direction> = []
        package var limits: Limits
        /// Of what was deleted on either side; nil where it goes at once.
        package var lulls: DeletionLulls?

        package init(
            lately: [Direction: Int] = [:], localRoot: LocalRoot = .same, isRemoteRootThere: Bool = true,
            confirmed: Set<Sighting> = [], limits: Limits = Limits()
        ) {
            self.lately = lately
            self.localRoot = localRoot
            self.isRemoteRootThere = isRemoteRootThere
            self.confirmed = confirmed
            self.limits = limits
        }
    }

    /// How the bound directory looks beside how it was.
    package enum LocalRoot: String, Codable, CaseIterable, Sendable {
        case same
        /// There is no such directory.
        case vanished
        /// It is on another disk than it was, as an empty mount point is.
        case unmounted
        /// Another directory has its place.
        case replaced
    }
}

// MARK: - Judging

extension Guard {
    /// What stands against looking at the trees at all; nil where nothing does.
    package static func judgeRoots(_ question: Planner.Question, _ told: Circumstances) -> Sighting? {
        let sighting: Sighting? =
            if !told.isRemoteRootThere {
                .remoteRootLost
            } else {
                switch told.localRoot {
                case .vanished: .rootVanished
                case .unmounted: .rootUnmounted
                case .replaced: .rootReplaced
                case .same where told.isLinkTakenBack: .linkTakenBack
                case .same: isEmptied(question) ? .rootEmptied : nil
                }
            }
        // A root that is not there can be confirmed only by unsyncing it.
        guard let sighting else { return nil }
        return sighting == .rootEmptied && told.confirmed.contains(sighting) ? nil : sighting
    }

    /// Everything is gone that was here. One file that a person deletes is no emptied disk. Also while linking: what is brought
    /// anew would lie below a disk that is mounted again, or in the way of what was there.
    private static func isEmptied(_ question: Planner.Question) -> Bool {
        let isEmpty = !question.local.tree.hasChildren(.root) && question.local.specials.isEmpty
        return isEmpty && question.synced.tree.count > 2
    }

    /// What a plan would take away from one side; nil where that passes.
    package static func judge(
        _ plan: Plan, _ direction: Direction, known: Int, _ told: Circumstances
    ) -> Sighting? {
        let (planned, deletions) = (count(plan.actions, direction), deletions(plan.actions, direction))
        let tally = Tally(
            planned: planned, overwritten: planned - deletions, lately: told.lately[direction] ?? 0, known: known)
        let isAskedAbout =
            !passes(tally, told.limits) || isStillHeld(planned, direction, told)
            || isEverything(direction, tally, told)
        guard tally.planned > 0, isAskedAbout else { return nil }
        return told.confirmed.contains { isCovered(direction, tally, by: $0) }
            ? nil : .manyDeletions(direction, tally)
    }

    /// The part of a tree counts deletions alone: who overwrites everything in a small folder has looked at it.
    private static func passes(_ tally: Tally, _ limits: Limits) -> Bool {
        if tally.planned + tally.lately > limits.mostInADay { return false }
        guard tally.known >= limits.smallTree, tally.deletions > 0 else { return true }
        return (tally.deletions + tally.lately) * limits.part < tally.known
    }

    /// The rule by which this is asked about.
    fileprivate static func rule(_ tally: Tally) -> String {
        let limits = Limits()
        if passes(tally, limits) {
            return tally.deletions >= tally.known
                ? "all that is in a folder is asked about"
                : "with what was held back before, it waits for one answer"
        }
        let most = "more than \(limits.mostInADay)"
        return tally.deletions == 0
            ? "\(most) in a day is asked about" : "\(most), or a quarter of a folder, in a day is asked about"
    }

    /// What was held back once is held until somebody says yes, with all that joins it: that a file comes into an emptied folder,
    /// that a tree grows, or that a day goes by is nobody's word.
    static func isStillHeld(_ goes: Int, _ direction: Direction, _ told: Circumstances) -> Bool {
        goes > 0 && told.held.contains(direction) && !isOfAnEmptied(direction, told)
    }

    /// Nothing is left of what both sides had: so looks an emptied disk into which a program has written, however small.
    private static func isEverything(_ direction: Direction, _ tally: Tally, _ told: Circumstances) -> Bool {
        direction == .onTheServer && tally.deletions > 1 && tally.deletions >= tally.known
            && !isOfAnEmptied(direction, told)
    }

    /// Who said yes to an emptied folder said it of all that was in it.
    private static func isOfAnEmptied(_ direction: Direction, _ told: Circumstances) -> Bool {
        direction == .onTheServer && told.confirmed.contains(.rootEmptied)
    }

    /// Something is left alone for another reason than this: what of it is gone cannot be known now.
    static func isBlind(_ plan: Plan) -> Bool {
        plan.standing.values.contains { standing in
            guard case .held(let reason) = standing else { return false }
            return reason != .guarded && reason != .justDeleted
        }
    }

    /// What was confirmed covers as much, or less.
    private static func isCovered(_ direction: Direction, _ tally: Tally, by sighting: Sighting) -> Bool {
        guard case .manyDeletions(direction, let seen) = sighting else { return false }
        return tally.planned <= seen.planned && tally.deletions <= seen.deletions
    }

    /// Deletions and overwrites that some actions make on one side.
    package static func count(_ actions: [Action], _ direction: Direction) -> Int {
        actions.reduce(0) { $0 + (weight(of: $1).flatMap { $0.direction == direction ? $0.count : nil } ?? 0) }
    }

    static func deletions(_ actions: [Action], _ direction: Direction) -> Int {
        count(actions.filter { $0.step.isDeletion }, direction)
    }

    /// What one action takes away. Replacing a version that its editor had seen takes nothing: the history has it. Nor does a
    /// file that its person put something else in the place of: a disk that lost its files does not do that.
    package static func weight(of action: Action) -> (direction: Direction, count: Int)? {
        if action.reason == .replacedHere || action.reason == .replacedThere { return nil }
        return switch action.step {
        case .trashLocal(_, _, _, let count) where action.reason != .deletionConfirmed: (.here, count)
        case .trashRemote(_, _, let count): (.onTheServer, count)
        case .upload(_, _, _?, _) where action.reason == .conflictLastWrite: (.onTheServer, 1)
        default: nil
        }
    }
}

// MARK: - Planning under guard

extension Planner {
    /// A plan from which a guard has taken what it holds; everything else goes on.
    package static func plan(_ question: Question, under told: Guard.Circumstances) -> Plan {
        plan(question, partOf: question, under: told)
    }

    /// - Parameter whole: what a guard judges by, all three trees.
    static func plan(_ part: Question, partOf whole: Question, under told: Guard.Circumstances) -> Plan {
        if let sighting = Guard.judgeRoots(whole, told) {
            var plan = Plan()
            plan.sighting = sighting
            plan.held = told.held.union([sighting.direction].compactMap(\.self))
            return plan
        }
        var question = part
        var plan = plan(question)
        // What nobody can look at now may be what was held.
        var held = Guard.isBlind(plan) ? told.held : []
        var lulls = told.lulls
        for direction in Guard.Direction.allCases {
            let deletions = Guard.deletions(plan.actions, direction)
            lulls?.note(deletions, direction)
            guard lulls?.isWaiting(direction) ?? false else { continue }
            if Guard.isStillHeld(deletions, direction, told) { held.insert(direction) }
            question.holding[direction] = .justDeleted
        }
        if !question.holding.isEmpty { plan = self.plan(question) }
        var sighting: Guard.Sighting?
        for direction in Guard.Direction.allCases {
            guard let seen = Guard.judge(plan, direction, known: whole.synced.tree.count - 1, told) else { continue }
            sighting = sighting ?? seen
            held.insert(direction)
            question.holding[direction] = .guarded
            plan = self.plan(question)
        }
        plan.sighting = sighting
        plan.held = held
        plan.lulls = lulls
        return plan
    }
}

extension Guard.Sighting {
    /// What happened, for a person, as a sentence without its end.
    package var words: String {
        switch self {
        case .manyDeletions(let direction, let tally):
            let lately = tally.lately == 0 ? "" : " after \(tally.lately) in the last 24 hours"
            let rule = " (\(Guard.rule(tally)))"
            let files = tally.overwritten == 1 ? "1 file" : "\(tally.overwritten) files"
            let side = direction == .here ? "here" : "on the server"
            let overwritten = "\(files) that changed on both sides would be overwritten \(side)"
            if tally.deletions == 0 { return overwritten + lately + rule }
            let from = direction == .here ? "from this folder" : "on the server"
            let deleted = "\(tally.deletions) of \(tally.known) files and folders would be deleted \(from)"
            return (tally.overwritten == 0 ? deleted : "\(deleted) and \(overwritten)") + lately + rule
        case .rootVanished: return "the folder is not there"
        case .rootUnmounted: return "the folder is on another disk than it was; its own may not be mounted"
        case .rootReplaced: return "another folder stands in its place"
        case .rootEmptied: return "the folder is empty, and was not"
        case .remoteRootLost: return "the folder on the server is gone"
        case .linkTakenBack: return "you took back that the two sides were tied together"
        }
    }

    /// What to do now, as a sentence without its end, in which DIR stands for the folder.
    package var remedy: String {
        switch self {
        case .manyDeletions:
            "if it was meant, say “bothy sync DIR --confirm”; “bothy sync DIR --dry-run” lists them"
        case .rootEmptied:
            "if it was meant, say “bothy sync DIR --confirm”; “bothy sync DIR --dry-run” lists what would go"
        case .rootVanished: "put the folder back, or untie it with “bothy unsync DIR”"
        case .rootUnmounted: "mount its disk; if it is meant to be another, “bothy unsync DIR”, and sync it again"
        case .rootReplaced:
            "if it is the right one, “bothy sync DIR --confirm” ties it anew, and nothing is deleted by that"
        case .remoteRootLost:
            "bring it back with “bothy trash put-back”, or make it anew from here with “bothy sync DIR --confirm”"
        case .linkTakenBack:
            "“bothy sync DIR --confirm” ties them anew; “bothy unsync DIR” leaves both as they are"
        }
    }
}
