import BothyClient
import BothyContract
import BothySync

/// What is said of a file that is damaged or cannot be read: why, and what to do.
enum VerifyWords {
    struct Pair: Equatable {
        var cause: String
        var remedy: String
    }

    /// - Parameter remote: where a file in a synced folder is on the server; nil where it was deleted there.
    /// - Returns: nil where there is nothing to say.
    static func words(_ verdict: FileVerdict, of path: String, onTheServer remote: String?) -> Pair? {
        guard case .damaged(let damage, _) = verdict else { return words(verdict) }
        let (typed, isTimeKept) = (path.asTyped, damage == .timeKept)
        var remedy = "The server's version is in its trash unless that was emptied: see “bothy trash”."
        if let remote {
            remedy = "“bothy get --replace \(remote.asTyped) \(typed)” downloads the server’s version again."
            if isTimeKept { remedy = "Unless this was intended: \(remedy) The next pass uploads the local content." }
        }
        return Pair(cause: cause(damage), remedy: remedy)
    }

    static func words(_ verdict: FileVerdict, of content: HeldContent) -> Pair? {
        guard case .damaged(let damage, _) = verdict else { return words(verdict) }
        let typed = content.path.asTyped
        let remedy =
            switch content.use {
            case .pinned: "Delete it, “rm \(typed)”: “bothy pin” then downloads it again."
            case .atHand: "Delete it, “rm \(typed)”: it is downloaded again when it is opened."
            case .pending(let id):
                "Upload the original file again, and discard this copy: “bothy journal discard \(id)”."
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
            "It was not edited since the last sync, but its content has changed: this disk damaged it."
        case .timeKept:
            "Its size and time are those of the last sync, but its content is not: it is damaged, or a program wrote it and reset the time."
        case .ownCopy:
            "This is Bothy’s own copy, which nobody edits, but its content has changed: this disk damaged it."
        }
    }

    static func notInStep(_ path: String) -> Complaint {
        Complaint(
            .notThere, "“\(path)” was never synced.",
            remedy:
                "“bothy bindings” lists the synced folders; “bothy why \(path.asTyped)” explains more.",
            status: .notThereOrInConflict)
    }
}

extension VerifyWords.Pair {
    init(_ failure: ClientFailure) { self.init(cause: WhyWords.sentence(failure.words), remedy: failure.remedy) }
}
