import BothyClient
import BothyContract

/// A decision about a conflict in a person's words.
struct DecisionWords {
    private let decision: ConflictDecision

    init(_ decision: ConflictDecision) { self.decision = decision }

    /// «put a new version of /docs/report.pdf».
    var deed: String {
        let path = decision.path.flatMap { try? RemotePath($0) }
        return OperationWords(operation: decision.operation, path: path).deed
    }

    /// What became of it.
    var kept: String {
        if decision.undoneAt != nil { return "taken back" }
        if case .trash = decision.operation.action {
            return decision.choice == .mine ? "it is in the trash" : "it was changed elsewhere, and is kept"
        }
        return switch decision.choice {
        case .mine: "yours is the newest version, theirs is in the history"
        case .theirs: "theirs is kept, yours is discarded"
        case .merged: "both are merged"
        case .both: "both are kept" + (beside.map { ", yours as “\($0)”" } ?? "")
        }
    }

    /// What a person hears who was not asked.
    var told: String {
        let path = decision.path ?? "Something"
        if case .trash = decision.operation.action, decision.choice == .theirs {
            return "\(path) was changed elsewhere before it was deleted here: it is kept."
        }
        if let name = wanted {
            return "\(path) conflicted with another “\(name)”: \(kept)."
        }
        return "\(path) was changed elsewhere too: \(kept)."
    }

    /// The name that it was to have; nil of what takes none, and met a change of the same thing.
    private var wanted: String? {
        switch decision.operation.action {
        case .createFolder(_, let name), .upload(_, let name, _, _), .rename(let name): name
        // A path that is none any more is not shown.
        case .move(_, let name): name ?? decision.path.flatMap { try? RemotePath($0) }?.name
        case .newRevision, .trash, .restore, .star, .hide: nil
        }
    }

    var by: String { decision.isAutomatic ? "the policy" : "you" }

    private var beside: String? {
        switch decision.made?.action {
        case .upload(_, let name, _, _), .createFolder(_, let name), .rename(let name): name
        case .move(_, let name): name
        default: nil
        }
    }
}

/// A decision as `conflicts decided` prints it with `--json`.
struct DecisionDocument: Encodable {
    var id: Int64
    var kind: String
    var path: String?
    var kept: String
    var automatic: Bool
    var decidedAt: Timestamp
    var undoneAt: Timestamp?

    init(_ decision: ConflictDecision) {
        id = decision.id
        kind = decision.operation.kind
        path = decision.path
        kept = decision.choice.rawValue
        automatic = decision.isAutomatic
        decidedAt = decision.decidedAt
        undoneAt = decision.undoneAt
    }
}
