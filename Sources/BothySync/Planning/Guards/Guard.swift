import BothyContract

/// Holds back what would take much away at once, and says what it saw.
///
/// Pure: how much went lately and how the roots look is told; what it saw is its answer. A person who confirms it confirms exactly
/// that sighting.
package enum Guard {
    /// Which side would lose something.
    package enum Direction: String, Codable, CaseIterable, Sendable {
        case here, onTheServer

        var opposite: Direction { self == .here ? .onTheServer : .here }
    }

    /// What a guard saw where it holds.
    package enum Sighting: Hashable, Codable, Sendable {
        /// - other: of the other side, where much would go as well.
        case manyDeletions(Direction, Tally, other: Tally? = nil)
        case rootVanished, rootUnmounted, rootReplaced, rootEmptied
        case remoteRootLost
        /// A person undid the link of the two sides. What has gone by that was no deletion.
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
            sides.allSatisfy { side in
                guard case .manyDeletions(let direction, let tally, _) = side else { return side == other }
                return Guard.isCovered(direction, tally, by: other)
            }
        }

        /// The same, one side at a time. Who confirms it was told of each of them, and confirms each.
        package var sides: [Sighting] {
            guard case .manyDeletions(let direction, let tally, let other?) = self else { return [self] }
            return [.manyDeletions(direction, tally), .manyDeletions(direction.opposite, other)]
        }

        /// What was seen of one side, or of both; nil for nothing.
        static func joining(_ sides: [Sighting]) -> Sighting? {
            guard case .manyDeletions(let direction, let tally, _)? = sides.first,
                case .manyDeletions(direction.opposite, let other, _)? = sides.dropFirst().first
            else { return sides.first }
            return .manyDeletions(direction, tally, other: other)
        }

        /// The side on which something would go, the first of two; nil where it is about the roots alone.
        var direction: Direction? {
            switch self {
            case .manyDeletions(let direction, _, _): direction
            case .rootEmptied: .onTheServer
            case .rootVanished, .rootUnmounted, .rootReplaced, .remoteRootLost, .linkTakenBack: nil
            }
        }

        /// The side of which it says how much has gone lately; of one of its `sides`.
        var tallied: Direction? { if case .manyDeletions(let direction, _, _) = self { direction } else { nil } }

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
        /// Of those, files that are there still on the other side, and have nothing in them any more.
        package var emptied: Int
        /// Unconfirmed in the 24 hours before.
        package var lately: Int
        /// All that both sides agreed on, except for what is left out.
        package var known: Int

        package init(planned: Int, overwritten: Int = 0, emptied: Int = 0, lately: Int, known: Int) {
            self.planned = planned
            self.overwritten = overwritten
            self.emptied = emptied
            self.lately = lately
            self.known = known
        }

        package init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            planned = try values.decode(Int.self, forKey: .planned)
            // What was written down before they were told apart counts as deletions.
            overwritten = try values.decodeIfPresent(Int.self, forKey: .overwritten) ?? 0
            emptied = try values.decodeIfPresent(Int.self, forKey: .emptied) ?? 0
            lately = try values.decode(Int.self, forKey: .lately)
            known = try values.decode(Int.self, forKey: .known)
        }

        /// What would not be there any more.
        var deletions: Int { planned - overwritten - emptied }
        /// What would not be there any more, or have nothing in it: a disk that fails and a crash do the one as well as the other.
        var losses: Int { planned - overwritten }
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
        /// No pass has linked the two yet: a person who links an empty folder wants what the server has.
        package var isNewlyTied = false
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
                case .same: !told.isNewlyTied && isEmptied(question) ? .rootEmptied : nil
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
        guard isEmpty, question.synced.countInStep > 1 else { return false }
        // What a rule leaves out by now is there all the same; what it left out before was not among what is gone.
        return !question.local.leftOut.contains { place in
            question.synced.facts(at: place).map { !$0.isKeptApart } ?? false
        }
    }

    /// What a plan would take away from one side; nil where that passes.
    package static func judge(
        _ plan: Plan, _ direction: Direction, known: Int, _ told: Circumstances
    ) -> Sighting? {
        let planned = count(plan.actions, direction)
        let emptied = count(plan.actions.filter(\.empties), direction)
        let tally = Tally(
            planned: planned, overwritten: planned - emptied - deletions(plan.actions, direction), emptied: emptied,
            lately: told.lately[direction] ?? 0, known: known)
        let isAskedAbout =
            !passes(tally, told.limits) || isStillHeld(planned, direction, told)
            || isEverything(direction, tally, told)
        guard tally.planned > 0, isAskedAbout else { return nil }
        return told.confirmed.contains { isCovered(direction, tally, by: $0) }
            ? nil : .manyDeletions(direction, tally)
    }

    /// The part of a tree counts losses alone: who overwrites everything in a small folder has looked at it.
    private static func passes(_ tally: Tally, _ limits: Limits) -> Bool {
        if tally.planned + tally.lately > limits.mostInADay { return false }
        // What a rule left out is not synced, and goes where the rule is taken back and others have deleted it.
        guard max(tally.known, tally.losses) >= limits.smallTree, tally.losses > 0 else { return true }
        return (tally.losses + tally.lately) * limits.part < tally.known
    }

    /// When this is asked about, after «Bothy asks».
    static func rule(_ tally: Tally) -> String {
        let limits = Limits()
        if passes(tally, limits) {
            return tally.deletions >= tally.known
                ? "before all that is in a folder goes" : "until what it held back before is answered"
        }
        let most = "above \(limits.mostInADay) a day"
        return tally.losses == 0 ? most : "\(most), or from a quarter of a folder"
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

    /// A person who confirmed an emptied folder confirmed all that was in it.
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
        sighting.sides.contains { side in
            guard case .manyDeletions(direction, let seen, _) = side else { return false }
            return tally.planned <= seen.planned && tally.losses <= seen.losses && tally.deletions <= seen.deletions
        }
    }

    /// Deletions and overwrites that some actions make on one side.
    package static func count(_ actions: [Action], _ direction: Direction) -> Int {
        actions.reduce(0) { $0 + (weight(of: $1).flatMap { $0.direction == direction ? $0.count : nil } ?? 0) }
    }

    static func deletions(_ actions: [Action], _ direction: Direction) -> Int {
        count(actions.filter { $0.step.isDeletion }, direction)
    }

    /// What one action takes away. Replacing a version that its editor had seen takes nothing: the history has it; unless nothing takes its
    /// place, as after a crash in which a disk kept a file's name and lost its content. Nor does a file that its person put something else in
    /// the place of: a disk that lost its files does not do that.
    package static func weight(of action: Action) -> (direction: Direction, count: Int)? {
        if action.reason == .replacedHere || action.reason == .replacedThere { return nil }
        return switch action.step {
        case .trashLocal(_, _, _, let count) where action.reason != .deletionConfirmed: (.here, count)
        case .trashRemote(_, _, let count): (.onTheServer, count)
        case .upload(_, _, _?, _) where action.reason == .conflictLastWrite || action.empties: (.onTheServer, 1)
        case .download where action.empties: (.here, 1)
        default: nil
        }
    }
}

extension Action {
    /// Whether it replaces a file's content with nothing, because the other side has nothing in it any more.
    package var empties: Bool {
        switch step {
        case .upload(_, let mine, let theirs?, _):
            reason == .editedHere && mine.stamp.size == 0 && theirs.size > 0
        case .download(_, let theirs, let mine?): reason == .editedThere && theirs.size == 0 && mine.stamp.size > 0
        default: false
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
        var sightings = [Guard.Sighting]()
        for direction in Guard.Direction.allCases {
            guard Guard.count(plan.actions, direction) > 0 else { continue }
            guard let seen = Guard.judge(plan, direction, known: whole.synced.countInStep, told) else {
                // What was held is answered, and goes.
                held.remove(direction)
                continue
            }
            sightings.append(seen)
            held.insert(direction)
            question.holding[direction] = .guarded
            plan = self.plan(question)
        }
        plan.sighting = Guard.Sighting.joining(sightings)
        plan.held = held
        plan.lulls = lulls
        return plan
    }
}
