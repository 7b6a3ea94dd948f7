import BothyContract

/// What was decided about an operation that met something else, with what is needed to undo that.
public struct ConflictDecision: Equatable, Sendable, Identifiable {
    /// Whose content is under the name now.
    public enum Choice: String, Codable, CaseIterable, Sendable {
        case mine, theirs, both, merged
    }

    /// The order in which they were made.
    public let id: Int64
    public var decidedAt: Timestamp
    /// By the policy that holds for it, and not by a person who was asked.
    public var isAutomatic: Bool
    public var choice: Choice
    /// As it was before.
    public var operation: JournalOperation
    /// What was written down in its place; nil where nothing was.
    public var made: JournalOperation?
    /// Where it lay then.
    public var path: String?
    /// When it was taken back; nil while it holds.
    public var undoneAt: Timestamp?
}

extension ConflictChoice {
    var kind: ConflictDecision.Choice {
        switch self {
        case .mine: .mine
        case .theirs: .theirs
        case .both: .both
        case .merged: .merged
        }
    }
}

/// What a policy makes of an operation that met something else. Pure.
package enum PolicyRule {
    package enum Verdict: Equatable, Sendable {
        /// A person is asked.
        case wait
        /// Texts are merged; what cannot be is kept beside.
        case merge
        case mine, theirs
        case both
    }

    /// - Parameter isFolderThere: what has the name on the server is a folder.
    package static func verdict(
        on action: JournalOperation.Action, _ policy: ConflictResolution, isFolderThere: Bool = false
    ) -> Verdict {
        guard policy != .ask else { return .wait }
        switch action {
        // An edit that the one who deleted had not seen wins, whatever the policy.
        case .trash: return .theirs
        case .newRevision:
            return switch policy {
            case .ask: .wait
            case .fork: .both
            case .lastWriteWins: .mine
            case .merge: .merge
            }
        case .upload: return policy == .lastWriteWins && !isFolderThere ? .mine : .both
        case .createFolder, .rename, .move: return .both
        case .restore, .star, .hide: return .wait
        }
    }
}
