import BothyContract

extension Undoing {
    /// How far the taking back of a pass had come when something cut it off.
    package struct Begun: Equatable, Sendable {
        /// How many of a step's reversals were done, by the step's index; steps of which none was are absent.
        package var counts: [Int: Int]
        /// What is left of the one that was half done.
        package var halves: [Int: Reversal]

        package init(counts: [Int: Int] = [:], halves: [Int: Reversal] = [:]) {
            self.counts = counts
            self.halves = halves
        }

        func rest(of reversals: [Reversal], at index: Int) -> [Reversal] {
            var rest = Array(reversals.dropFirst(counts[index] ?? 0))
            if let half = halves[index], !rest.isEmpty { rest[0] = half }
            return rest
        }
    }
}

extension Reversal {
    /// How it stands where it may have been cut off between what it does and its being written down.
    package enum Standing: Equatable, Sendable {
        case toDo
        case done
        /// What is left of it.
        case halfDone(Reversal)
    }

    /// - Parameter isInTrash: whether something lies in the local trash under this name.
    package func standing(_ remote: RemoteTree, _ local: LocalTree, isInTrash: (String) -> Bool) -> Standing {
        switch self {
        case .exchangeHere(let at, let taking, let bringing):
            return Self.standing(of: at, taking, bringing, local, isInTrash)
        // It looks itself.
        case .rejoinThere: return .toDo
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
