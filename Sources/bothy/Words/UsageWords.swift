/// What the parser says of a command line that it cannot read, as it may be shown: it repeats what was typed as it stands, and a
/// pattern types what somebody else has named.
enum UsageWords {
    /// - Parameter arguments: what was typed after `bothy`.
    static func safe(_ message: String, typed arguments: [String]) -> String {
        // The lines are the parser's; none is to come from an argument, or from the value behind its “=”.
        let values = arguments.compactMap { $0.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init) }
        let acting = (arguments + values).filter { TerminalText.safe($0) != $0 }
        return TerminalText.safeLines(acting.reduce(message) { $0.replacing($1, with: TerminalText.safe($1)) })
    }
}
