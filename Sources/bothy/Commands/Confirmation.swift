/// A last question before what cannot be undone.
enum Confirmation {
    /// - Throws: a `Complaint` unless a person says yes; where nobody can be asked, `--yes` is needed.
    static func ask(_ question: String) throws(Complaint) {
        let terminal = Terminal()
        guard terminal.canAsk else {
            throw .usage("Nobody is there to be asked: \(question)", remedy: "Say --yes to do it without a question.")
        }
        let answer = terminal.ask(TerminalText.safe(question) + " [y/N] ")?.lowercased()
        guard answer == "y" || answer == "yes" else {
            throw Complaint(.interrupted, "Nothing was deleted.", status: .failed)
        }
    }
}
