import BothyContract

extension Undoing {
    /// How far the taking back of a pass had come, when something cut it off or when it came to its end without some of it.
    package struct Begun: Equatable, Sendable {
        /// The first step of the pass of which anything was written down: those whose turn came before it had theirs.
        private var reached: Int?
        /// The step that was the last of which anything was written down: its turn may not be over.
        private var latest: Int?
        /// By step, so many of its reversals are done.
        private var counts: [Int: Int] = [:]
        /// By step, what is left of the next of them.
        private var halves: [Int: Reversal] = [:]
        /// Steps that could not be taken back: they have their turn again.
        package private(set) var failed: Set<Int> = []

        package init() {}

        /// One reversal of a step is done.
        package mutating func noteDone(of index: Int) { reach(index, counts[index, default: 0] + 1) }

        /// The rest of a step is left as it is for now.
        package mutating func noteFailure(of index: Int) {
            reach(index, counts[index, default: 0])
            failed.insert(index)
        }

        fileprivate mutating func reach(_ index: Int, _ count: Int, half rest: Reversal? = nil) {
            reached = min(reached ?? index, index)
            latest = index
            counts[index] = count
            halves[index] = rest
            failed.remove(index)
        }

        func isBegun(_ index: Int) -> Bool { count(of: index) > 0 }

        fileprivate func count(of index: Int) -> Int { counts[index, default: 0] }

        /// The last step of a pass has the first turn.
        func rest(of reversals: [Reversal], at index: Int) -> [Reversal] {
            guard let reached, index >= reached else { return reversals }
            guard index == latest || failed.contains(index) else { return [] }
            var rest = Array(reversals.dropFirst(count(of: index)))
            if let half = halves[index], !rest.isEmpty { rest[0] = half }
            return rest
        }
    }

    /// What was being done when something cut that off, as it is found.
    package struct InFlight: Equatable, Sendable {
        package var turn: Turn
        /// It is done, and nowhere written down; nil where half of it is.
        package var done: Reversal?
        package var begun: Begun
    }

    /// - Parameters:
    ///   - turns: what is left, by what was written down.
    ///   - isInTrash: whether something lies in the local trash under this name.
    /// - Returns: nil where nothing is done of what is left.
    package static func inFlight(
        in turns: [Turn], after begun: Begun, _ remote: RemoteTree, _ local: LocalTree, isInTrash: (String) -> Bool
    ) -> InFlight? {
        turns: for turn in turns {
            let before = begun.count(of: turn.index)
            for (offset, reversal) in turn.reversals.enumerated() {
                var reached = begun
                switch reversal.standing(remote, local, isInTrash: isInTrash) {
                case .mayHaveCome: continue
                // What failed has its turn again before what was being done.
                case .toDo where begun.failed.contains(turn.index): continue turns
                case .toDo: return nil
                case .halfDone(let rest):
                    reached.reach(turn.index, before + offset, half: rest)
                    return InFlight(turn: turn, done: nil, begun: reached)
                case .done:
                    reached.reach(turn.index, before + offset + 1)
                    return InFlight(turn: turn, done: reversal, begun: reached)
                }
            }
        }
        return nil
    }
}

extension Reversal {
    /// How it stands where it may have been cut off between what it does and its being written down.
    package enum Standing: Equatable, Sendable {
        case toDo
        /// It may have come to nothing, which nobody writes down; done again it looks itself.
        case mayHaveCome
        case done
        /// What is left of it.
        case halfDone(Reversal)
    }

    /// - Parameter isInTrash: whether something lies in the local trash under this name.
    package func standing(_ remote: RemoteTree, _ local: LocalTree, isInTrash: (String) -> Bool) -> Standing {
        switch self {
        case .exchangeHere(let at, let taking, let bringing):
            return Self.standing(of: at, taking, bringing, local, isInTrash)
        case .rejoinThere: return .mayHaveCome
        default: return isDone(remote, local) ? .done : .toDo
        }
    }

    private static func standing(
        of at: Place, _ taking: TakenHere, _ bringing: String?, _ local: LocalTree, _ isInTrash: (String) -> Bool
    ) -> Standing {
        let isFree = local.node(at: at) == nil
        guard let bringing else { return isFree ? .done : .toDo }
        if !isInTrash(bringing) { return isFree ? .toDo : .done }
        return isFree && taking != .nothing
            ? .halfDone(.exchangeHere(at: at, taking: .nothing, bringing: bringing)) : .toDo
    }

    private func isDone(_ remote: RemoteTree, _ local: LocalTree) -> Bool {
        switch self {
        case .trashThere(let id, _, _, _, _): remote.node(id) == nil
        case .untrashThere(let id, _): remote.node(id) != nil
        case .setContentThere(let id, _, _, let old, _):
            remote.facts(id).map { ($0.checksum ?? .ofNothing) == (old.checksum ?? .ofNothing) } ?? false
        case .moveThere(let id, _, _, let to): remote.spot(of: id) == to
        case .touchThere(let id, _, _, let to):
            remote.facts(id).map {
                FileAttributes(modifiedAt: $0.modifiedAt, executable: $0.executable) == to
            } ?? false
        case .removeFolderHere(let at): local.node(at: at) == nil
        case .makeFolderHere(let at): local.facts(at: at)?.kind == .folder
        case .moveHere(let from, let to, _): local.node(at: from) == nil && local.node(at: to) != nil
        case .touchHere(let at, _, let to):
            local.facts(at: at).map {
                FileAttributes(modifiedAt: $0.stamp.modifiedAt, executable: $0.executable) == to
            } ?? false
        case .exchangeHere, .rejoinThere: false
        }
    }
}

extension RemoteTree {
    fileprivate func spot(of id: String) -> RemoteSpot? {
        guard let node = node(id), let folder = tree.parent(of: node) else { return nil }
        return RemoteSpot(folderId: self[folder].id, name: tree.name(of: node))
    }
}
