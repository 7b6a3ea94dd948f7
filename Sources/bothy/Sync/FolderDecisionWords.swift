import BothyClient
import BothySync

/// What a pass decided about a conflict in a synced folder, in the words in which `DecisionWords` tells of others.
struct FolderDecisionWords {
    private let decision: Decision

    init(_ decision: Decision) { self.decision = decision }

    /// What became of it.
    var kept: String {
        switch decision.action.reason {
        case .conflictForked: "both are kept" + (beside.map { ", yours as “\($0)”" } ?? "")
        case .conflictMerged where decision.act.kind == .merged: "both are merged"
        case .conflictLastWrite, .conflictMineChosen: "yours is the newest version, theirs is in the history"
        case .conflictTheirsChosen: "theirs is kept"
        default: decision.act.words
        }
    }

    /// Policies and persons keep both, or merge, alike: of these it is not written down whose word it was.
    var by: String {
        switch decision.action.reason {
        case .conflictMineChosen, .conflictTheirsChosen: "you"
        case .conflictLastWrite: "the policy"
        default: "the policy, or you"
        }
    }

    private var beside: String? {
        if case .setAside = decision.act.kind { decision.places[0].name.description } else { nil }
    }
}
