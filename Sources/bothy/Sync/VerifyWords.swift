import BothyClient
import BothyContract
import BothySync

/// What is said of a file that is damaged or cannot be read: why, and what to do.
enum VerifyWords {
    struct Pair: Equatable {
        var cause: String
        var remedy: String
    }

    /// - Parameter remote: where a file in a folder in step is on the server; nil where it was deleted there.
    /// - Returns: nil where there is nothing to say.
    static func words(_ verdict: FileVerdict, of path: String, onTheServer remote: String?) -> Pair? {
        guard case .damaged(let damage, _) = verdict else { return words(verdict) }
        let (typed, isTimeKept) = (path.asTyped, damage == .timeKept)
        var remedy = "What the server had of it is in its trash, if that was not emptied: see “bothy trash”."
        if let remote {
            remedy = "“bothy get --replace \(remote.asTyped) \(typed)” fetches the server’s version again."
            if isTimeKept { remedy = "Unless that was meant: \(remedy) The next pass sends what is here." }
        }
        return Pair(cause: cause(damage), remedy: remedy)
    }

    static func words(_ verdict: FileVerdict, of content: HeldContent) -> Pair? {
        guard case .damaged(let damage, _) = verdict else { return words(verdict) }
        let typed = content.path.asTyped
        let remedy =
            switch content.use {
            case .pinned: "Delete it, “rm \(typed)”: “bothy pin” then fetches it again."
            case .atHand: "Delete it, “rm \(typed)”: it is fetched again when it is asked for."
            case .pending(let id):
                "Put the file again from where it came from, and give this up: “bothy journal discard \(id)”."
            }
        return Pair(cause: cause(damage), remedy: remedy)
    }

    private static func words(_ verdict: FileVerdict) -> Pair? {
        guard case .unreadable(let failure) = verdict else { return nil }
        return Pair(failure)
    }

    private static func cause(_ damage: FileVerdict.Damage) -> String {
        switch damage {
        case .untouched:
            "Nothing touched it since both sides agreed on it, and its content is another: this disk damaged it."
        case .timeKept:
            "Its size and time are as both sides agreed on, and its content is not: it is damaged, or a program wrote it and put the time back."
        case .ownCopy: "This is Bothy’s own copy, which nobody edits, and its content is another: this disk damaged it."
        }
    }

    static func notInStep(_ path: String) -> Complaint {
        Complaint(
            .notThere, "Nothing at “\(path)” was ever in step.",
            remedy:
                "“bothy bindings” lists the folders that are kept in step; “bothy why \(path.asTyped)” tells more.",
            status: .notThereOrInConflict)
    }
}

extension VerifyWords.Pair {
    init(_ failure: ClientFailure) { self.init(cause: WhyWords.sentence(failure.words), remedy: failure.remedy) }
}
