import BothyContract

extension PlanWriter {
    /// What is agreed on and not the same on both sides yet: forgotten, it is something new to the side that has it. A folder only with
    /// all that is in it.
    func unmetWhileLinking() -> [Action] {
        guard view.policy.isLinking else { return [] }
        var goes = [Bool](repeating: false, count: view.synced.tree.slotCount)
        let nodes = Array(view.synced.tree.subtree(of: .root).dropFirst())
        for node in nodes.reversed() {
            goes[node.slot] =
                isUnmet(view.item(node)) && view.synced.tree.children(of: node).allSatisfy { goes[$0.slot] }
        }
        return nodes.filter { goes[$0.slot] && !(view.synced.tree.parent(of: $0).map { goes[$0.slot] } ?? false) }
            .map { node in
                let place = currentPlace(view.item(node))
                return Action(.forget(remoteId: view.synced[node].remoteId, at: place), .absentWhileLinking)
            }
    }

    private func isUnmet(_ index: Int) -> Bool {
        guard index >= 0 else { return false }
        let item = view.items[index]
        switch item.fate {
        case .keep: break
        case .stay(.unsynced), .drop, .mark, .forget: return false
        case .stay: break
        }
        return item.remote == nil || item.local == nil
            || view.contentSteps(index).contains(.upload(.serverWentBack))
    }
}
