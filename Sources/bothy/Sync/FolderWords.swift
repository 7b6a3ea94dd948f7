import BothyClient
import BothyPresentation
import BothySync

// What is said of synced folders is said as screens say it.

extension FolderAct {
    /// As the beginning of a line: «sent docs/a.txt».
    var words: String { Words.english.act(self) }

    /// As the end of a line that begins with «could not»: «send docs/a.txt».
    var attempt: String {
        let words = words
        let verb = words.prefix { $0 != " " }
        guard let attempt = Self.attempts[String(verb)] else { return "have \(words)" }
        return attempt + words.dropFirst(verb.count)
    }

    /// What every act begins with, and the same before it is done.
    private static let attempts = [
        "agreed": "agree", "excluded": "exclude", "fetched": "fetch", "forgot": "forget", "kept": "keep",
        "made": "make", "merged": "merge", "moved": "move", "put": "put", "removed": "remove", "restored": "restore",
        "sent": "send", "set": "set", "took": "take",
    ]
}

extension Decision {
    /// What was done, and why.
    var words: String { Words.english.deed(act, action.reason) }

    /// What was done, or could not be, and why: «could not fetch a.txt: it is new on the server. There is no room.»
    var told: String {
        guard let failure = trace.failure else { return words }
        return "could not \(act.attempt): \(action.reason.words). \(failure.words)"
    }
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

extension BindingEngine.Look {
    /// Why something stands at a place as it does, as a sentence without its end.
    func words(_ standing: Standing, at place: Place) -> String {
        guard case .conflict(_, let theirs) = standing, synced.facts(at: place) == nil, synced.node(theirs.id) == nil
        else { return standing.words }
        return Words.english.why(.conflictOfNewFiles) { MomentText.text($0) }
    }
}

extension ItemStatus.State {
    /// At a glance, after a name and a colon: «synced».
    var words: String {
        let words = Words.english.state(PlaceExplanation.State(rawValue: rawValue) ?? .unknown)
        return words.prefix(1).lowercased() + words.dropFirst()
    }
}

extension ExplainedCause {
    /// How it stands at a glance: «synced»; what no folder syncs has no such standing.
    var headline: String {
        switch self {
        case .item(.onTheServer), .operation(.acknowledged): "on the server"
        default: state.words
        }
    }

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
        guard cause == .item(.held(.guarded)), let sighting else { return nil }
        let isGone = sighting.sides.contains { side in
            guard case .manyDeletions(let direction, _, _) = side else { return false }
            return direction == .here ? onTheServer == nil : here == nil
        }
        return isGone ? sighting : nil
    }
}
