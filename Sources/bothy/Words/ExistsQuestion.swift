/// The question put to a person where the name is taken, and how the answer is read. Pure.
struct ExistsQuestion: Sendable {
    enum Answer: Equatable, Sendable {
        case replace, keepBoth, skip
        case cancel
    }

    struct Reply: Equatable, Sendable {
        var answer: Answer
        /// For everything that follows too.
        var forAll: Bool
    }

    /// Where the name is taken, and what is there: «/docs/a.txt is there already (1.2 MiB, 2026-11-20 14:03)».
    var subject: String
    /// Whether what is replaced stays in a history.
    var keepsHistory: Bool
    /// Whether more may follow, so that «all» means something.
    var several: Bool

    var text: String {
        let replace = keepsHistory ? "[r]eplace (the old version stays in the history)" : "[r]eplace it"
        let choices =
            several
            ? "\(replace), [k]eep both, [s]kip, [c]ancel; capital R, K or S for all"
            : "\(replace), [k]eep both, [c]ancel"
        return TerminalText.safe(subject) + "\n  " + choices + ": "
    }

    /// - Returns: nil for what is no answer, so that it is asked again.
    func reply(_ line: String) -> Reply? {
        let word = line.filter { $0 != " " }
        switch word {
        case "r", "replace": return Reply(answer: .replace, forAll: false)
        case "k", "keep": return Reply(answer: .keepBoth, forAll: false)
        case "c", "cancel": return Reply(answer: .cancel, forAll: true)
        case "s" where several: return Reply(answer: .skip, forAll: false)
        case "R" where several: return Reply(answer: .replace, forAll: true)
        case "K" where several: return Reply(answer: .keepBoth, forAll: true)
        case "S" where several: return Reply(answer: .skip, forAll: true)
        case "R": return Reply(answer: .replace, forAll: false)
        case "K": return Reply(answer: .keepBoth, forAll: false)
        default: return nil
        }
    }
}
