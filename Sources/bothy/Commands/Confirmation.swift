/// A last question before what cannot be undone.
enum Confirmation {
    /// - Throws: a `Complaint` unless a person says yes; where nobody can be asked, `--yes` is needed.
    ///
    /// - Parameters:
    ///   - otherwise: what to type where nobody can be asked.
    ///   - refused: what is said after a no.
    static func ask(
        _ question: String, otherwise: String = "Use --yes to skip the question.",
        refused: String = "Nothing was deleted."
    ) throws(Complaint) {
        let terminal = Terminal()
        guard terminal.canAsk else {
            throw .usage("This needs confirmation, and there is no terminal to ask in: \(question)", remedy: otherwise)
        }
        let answer = terminal.ask(TerminalText.safe(question) + " [y/N] ")?.lowercased()
        guard answer == "y" || answer == "yes" else {
            throw Complaint(.interrupted, refused, status: .failed)
        }
    }
}
