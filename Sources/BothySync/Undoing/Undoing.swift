import BothyContract

/// Taking back what a pass did: each of its steps is reversed on the side where it acted, the last first.
///
/// Pure. What others have changed since is nobody's to take back: then that file is left as it is with all that the pass
/// did to it, and told.
package enum Undoing {
    /// One step of the pass, and what reverses it.
    package struct Turn: Equatable, Sendable {
        /// Which of the steps that were given.
        package var index: Int
        package var reversals: [Reversal]
        /// Turns about one file, or about the two files of one conflict, have one number.
        var subject: Int
        /// Others have changed what it is about since; nothing of it is reversed.
        package var hasChanged: Bool
        /// Of a folder that comes back on the server, where in the local trash it lay, with what was agreed on of it.
        package var keep: String?
        /// Some of what reverses the step was done before this plan.
        package var isBegun: Bool
        /// It failed before this plan.
        package var isTriedAgain: Bool
        /// The conflict that the step decided: it is open again, whatever the policy.
        package var decided: Reopened?
        /// The conflict that the step had opened again.
        package var reopened: Reopened?

        /// It begins with what was brought back here by another step, and shall be on the server again with its history.
        package var bringsBackThere: Bool { if case .rejoinThere = reversals.first { true } else { false } }
    }

    /// What connects the steps of a pass.
    struct Pass {
        /// Places where this side's versions of conflicts were set aside.
        var asides: Set<Place> = []
        /// Where those had stood.
        var left: Set<Place> = []
        /// Files that were merged here.
        var merged: Set<String> = []
        /// What was agreed on of files before that was given up for a conflict.
        var givenUp: [String: SyncedFacts] = [:]

        init(_ taken: [TakenStep]) {
            for one in taken {
                switch one.step {
                case .setAside(_, _, let from, let to):
                    asides.insert(to)
                    left.insert(from)
                case .merge(_, _, _, let theirs): merged.insert(theirs.id)
                case .rebind(let id, let theirs, _) where id == theirs.id: givenUp[id] = one.before
                default: break
                }
            }
        }
    }

    /// - Parameters:
    ///   - taken: the steps of one pass that were taken, in their order.
    ///   - remote: what the server has now.
    ///   - local: what the disk has now.
    ///   - decidedSince: files of which a conflict was decided after that pass: what came of that stands.
    ///   - begun: what was taken back of it before.
    /// - Returns: in the order in which they are to be taken; steps that changed nothing have no turn.
    package static func plan(
        _ taken: [TakenStep], remote: RemoteTree, local: LocalTree, decidedSince: Set<String> = [],
        begun: Begun = Begun()
    ) -> [Turn] {
        let pass = Pass(taken)
        let subjects = subjects(of: taken)
        var turns: [Turn] = []
        for index in taken.indices.reversed() {
            let reversals = begun.rest(of: taken[index].reversals(in: pass), at: index)
            guard !reversals.isEmpty else { continue }
            turns.append(
                Turn(
                    index: index, reversals: reversals, subject: subjects[index], hasChanged: false,
                    isBegun: begun.isBegun(index), isTriedAgain: begun.failed.contains(index)))
        }
        // Places are those of the moment at which their turn comes.
        var local = local
        var seen: Set<Aspect> = []
        var changed: Set<Int> = []
        for turn in turns {
            let subject = turn.subject
            if let id = taken[turn.index].subjectId, decidedSince.contains(id) { changed.insert(subject) }
            for reversal in turn.reversals {
                // Only the last of several says how things are now.
                let isLast = seen.insert(Aspect(subject: subject, kind: reversal.kind)).inserted
                if isLast, !reversal.holds(remote, local) { changed.insert(subject) }
                for kind in reversal.changes { seen.insert(Aspect(subject: subject, kind: kind)) }
                reversal.foresee(in: &local)
            }
        }
        return turns.map { turn in
            var turn = turn
            turn.hasChanged = changed.contains(turn.subject)
            turn.keep = keep(of: turn, in: taken)
            turn.decided = taken[turn.index].decided(in: pass)
            turn.reopened = taken[turn.index].reopened
            return turn
        }
    }

    /// The steps that are about the same file as one of them, or about the two files of its conflict. They can be taken back without the
    /// others: where those have moved or replaced what these are about, that is found to have changed.
    package static func together(with index: Int, in taken: [TakenStep]) -> Set<Int> {
        let subjects = subjects(of: taken)
        return Set(taken.indices.filter { subjects[$0] == subjects[index] })
    }

    /// What took a folder away here may be another step than what took it away there: of an undoing, for one.
    private static func keep(of turn: Turn, in taken: [TakenStep]) -> String? {
        let rejoins = turn.reversals.contains { if case .rejoinThere(_, _, nil, _) = $0 { true } else { false } }
        guard rejoins else { return nil }
        return taken[turn.index].keep ?? taken.first { $0.step == taken[turn.index].step && $0.keep != nil }?.keep
    }

    private struct Aspect: Hashable {
        var subject: Int
        var kind: Reversal.Kind
    }

    /// Steps about one file have one number, and so do those about the two files of one conflict.
    private static func subjects(of taken: [TakenStep]) -> [Int] {
        var byId: [String: Int] = [:]
        var byAside: [Place: Int] = [:]
        // First what connects others: a pass that took one back has it behind them.
        for (index, step) in taken.map(\.step).enumerated() {
            guard case .setAside(_, let id, let from, let to) = step else { continue }
            let subject = id.flatMap { byId[$0] } ?? byAside[from] ?? index
            byAside[to] = subject
            byAside[from] = subject
            if let id { byId[id] = subject }
        }
        return taken.indices.map { index in
            let step = taken[index].step
            if case .setAside(_, _, let from, _) = step, let subject = byAside[from] { return subject }
            let id = taken[index].subjectId
            let aside = step.isFirstUpload ? step.places.first.flatMap { byAside[$0] } : nil
            let download = step.isFirstDownload ? step.places.first.flatMap { byAside[$0] } : nil
            let subject = id.flatMap { byId[$0] } ?? aside ?? download ?? index
            if let id { byId[id] = subject }
            return subject
        }
    }
}

extension Step {
    fileprivate var isFirstUpload: Bool { if case .upload(_, _, nil, _) = self { true } else { false } }
    fileprivate var isFirstDownload: Bool { if case .download(_, _, nil) = self { true } else { false } }
}

// MARK: - Whether everything is as the pass left it

extension Reversal {
    enum Kind { case existenceThere, contentThere, placeThere, attributesThere, contentHere, placeHere, attributesHere }

    var kind: Kind {
        switch self {
        case .trashThere, .untrashThere, .rejoinThere: .existenceThere
        case .setContentThere: .contentThere
        case .moveThere: .placeThere
        case .touchThere: .attributesThere
        case .removeFolderHere, .makeFolderHere, .exchangeHere: .contentHere
        case .moveHere: .placeHere
        case .touchHere: .attributesHere
        }
    }

    /// What cannot be looked at before it is done, since it brings its subject there first.
    var changes: [Kind] {
        switch self {
        case .untrashThere, .rejoinThere: [.contentThere, .placeThere, .attributesThere]
        case .setContentThere: [.attributesThere]
        case .makeFolderHere, .exchangeHere(_, _, _?), .moveHere: [.contentHere, .placeHere, .attributesHere]
        case .trashThere, .moveThere, .touchThere, .removeFolderHere, .exchangeHere, .touchHere: []
        }
    }

    /// Whether what it is about is still as the pass left it. A place that is free only once later steps are reversed is
    /// looked at then, and so is what they bring back.
    func holds(_ remote: RemoteTree, _ local: LocalTree) -> Bool {
        switch self {
        case .trashThere(let id, _, let content, _, _):
            return remote.facts(id).map { content == nil || $0.checksum == content } ?? false
        case .untrashThere, .rejoinThere, .makeFolderHere, .exchangeHere(_, .nothing, _): return true
        case .setContentThere(let id, _, let now, _, _): return remote.facts(id).map { $0.checksum == now } ?? false
        case .moveThere(let id, _, let from, _):
            guard let node = remote.node(id), let folder = remote.tree.parent(of: node) else { return false }
            let isSameFolder = from.folderId.isEmpty || remote[folder].id == from.folderId
            return isSameFolder && remote.tree.name(of: node) == from.name
        case .touchThere(let id, _, let from, _):
            return remote.facts(id).map {
                FileAttributes(modifiedAt: $0.modifiedAt, executable: $0.executable) == from
            } ?? false
        case .removeFolderHere(let at), .exchangeHere(let at, .folder, _):
            return local.isForeseen(at) || local.facts(at: at)?.kind == .folder
        case .exchangeHere(let at, .file(let hash), _):
            return local.isForeseen(at) || local.facts(at: at)?.hash == hash
        case .moveHere(let from, _, _): return local.isForeseen(from) || local.node(at: from) != nil
        case .touchHere(let at, let from, _):
            return local.isForeseen(at) || local.facts(at: at)?.stamp.modifiedAt == from.modifiedAt
        }
    }

    /// Brings about on the disk's tree what those whose turn comes later will find, as far as places go.
    func foresee(in local: inout LocalTree) {
        switch self {
        case .removeFolderHere(let at): local.remove(at)
        case .makeFolderHere(let at): local.put(LocalFacts(kind: .folder), at: at)
        case .exchangeHere(let at, let taking, let keep):
            if taking != .nothing { local.remove(at) }
            if keep != nil { local.foresee(at) }
        case .moveHere(let from, let to, _): if !local.move(from, to: to) { local.foresee(to) }
        case .trashThere, .untrashThere, .rejoinThere, .setContentThere, .moveThere, .touchThere, .touchHere: break
        }
    }
}

extension LocalTree {
    /// Something comes there that nobody can look at, or into, before.
    fileprivate mutating func foresee(_ place: Place) {
        put(LocalFacts(kind: .folder, condition: .unreadable), at: place)
    }

    /// Whether what stands there, or what it stands in, is only foreseen.
    fileprivate func isForeseen(_ place: Place) -> Bool {
        var place = place
        while true {
            if let facts = facts(at: place) { return facts.condition == .unreadable }
            if place.isRoot { return false }
            place = place.parent
        }
    }
}
