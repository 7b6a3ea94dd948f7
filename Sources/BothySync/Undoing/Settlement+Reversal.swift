extension SyncedTree {
    /// Moves what is agreed on by one step of taking back. Most move nothing: what they change is for the next pass to carry.
    ///
    /// - Parameters:
    ///   - remote: what the server answered.
    ///   - agreed: of a folder that came back, what was agreed on of it and all below it.
    ///   - there: what the server has of that by now.
    ///   - reopened: the conflict that is open again by it.
    @discardableResult
    package mutating func settle(
        _ reversal: Reversal, remote: RemoteFacts?, agreed: [AgreedRow] = [], there: Set<String> = [],
        reopening reopened: Reopened? = nil
    ) -> SettledRows {
        if let reopened {
            guard let before = reopened.agreed else { return dropRows(reopened.id) }
            return changeRow(reopened.id) { $0 = before }
        }
        switch reversal {
        case .rejoinThere(let id, let at, nil, _): return agreeAgain(on: agreed, of: id, at: at, there: there)
        case .trashThere(let id, _, _, _, .stays): return markTakenBack(id)
        case .trashThere(let id, _, _, _, .goesBack): return dropRows(id)
        case .setContentThere(let id, _, _, _, isEditHere: true):
            guard let remote else { return SettledRows() }
            return changeRow(id) { facts in
                facts.checksum = remote.checksum
                facts.baseRevisionId = remote.headRevisionId
                facts.size = remote.size
                facts.version = remote.version
            }
        case .trashThere, .untrashThere, .rejoinThere, .setContentThere, .moveThere, .touchThere, .removeFolderHere,
            .makeFolderHere, .exchangeHere, .moveHere, .touchHere:
            return SettledRows()
        }
    }

    private mutating func markTakenBack(_ id: String) -> SettledRows {
        guard let top = node(id) else { return SettledRows() }
        let below = tree.subtree(of: top).map { tree[$0].remoteId }
        for id in below { update(id) { $0.mark = .unsynced(.takenBack) } }
        return SettledRows(written: below)
    }
}

/// A conflict whose decision is taken back.
package struct Reopened: Codable, Equatable, Sendable {
    /// The file on the server.
    package var id: String
    /// What both versions come from; nil where they have nothing in common.
    package var agreed: SyncedFacts?

    package init(id: String, agreed: SyncedFacts?) {
        self.id = id
        self.agreed = agreed
    }
}
