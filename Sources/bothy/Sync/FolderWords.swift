import BothyClient
import BothyPresentation
import BothySync

// What is said of folders in step is said as screens say it.

extension FolderAct {
    /// As the beginning of a line: «sent docs/a.txt».
    var words: String { Words.english.act(self) }
}

extension Decision {
    /// What was done, and why.
    var words: String { Words.english.deed(act, action.reason) }
}

extension Action {
    /// What is to be done, and why.
    ///
    /// - Parameter place: where both sides last agreed that it is.
    func words(movedFrom place: Place?) -> String { Words.english.deed(step.act(movedFrom: place), reason) }
}

extension Reason {
    var words: String { Words.english.reason(self) }
}

extension LeavingRule {
    /// As it is written, or «files above 100 MiB».
    var words: String { Words.english.rule(self) }
}

extension HoldReason {
    var words: String { ExplainedCause.item(.held(self)).words }
}

extension Standing {
    /// Why, as a sentence without its end.
    var words: String { ExplainedCause.item(cause).words }
}

extension ExplainedCause {
    /// Why, as a sentence without its end. What a guard saw is said as every command says it, with what is to be typed.
    var words: String {
        if case .item(.guarded(let sighting)) = self { return sighting.words }
        return Words.english.why(PlaceCause(self)) { MomentText.text($0) }
    }
}

extension Explanation {
    /// Why, as a sentence without its end.
    var words: String {
        if case .item(.guarded) = cause { return cause.words }
        if let many = deletedAmongMany { return "its deletion waits with the others: \(many.words)" }
        return Words.english.why(PlaceCause(self)) { MomentText.text($0) }
    }

    /// What a guard saw, where that is the deletion of this among others.
    private var deletedAmongMany: Guard.Sighting? {
        guard cause == .item(.held(.guarded)), let sighting, case .manyDeletions(let side, _) = sighting else {
            return nil
        }
        let isGone = side == .here ? onTheServer == nil : here == nil
        return isGone ? sighting : nil
    }
}
