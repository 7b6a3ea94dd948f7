import Foundation

/// Asks on a terminal. Where there is none, the answer is no.
enum Question {
    static func confirm(_ question: String) -> Bool {
        guard isatty(STDIN_FILENO) == 1 else { return false }
        FileHandle.standardError.write(Data("\(TerminalText.safe(question)) [y/N] ".utf8))
        return ["y", "yes"].contains(readLine(strippingNewline: true)?.lowercased())
    }
}
