import BothyClient
import BothyPresentation

/// Two texts line by line, as their view names things.
enum ComparedLines {
    /// Characters of a line that are shown: one that a program wrote may be the whole file.
    private static let longestLine = 2000

    static func context(_ content: ComparisonState.Content, _ words: Words) -> [String: Any] {
        switch content {
        case .refused(let reason): return ["refused": reason]
        case .texts(let texts):
            let parts = texts.parts.map { part in
                ["skipped": gap(part.skipped, words), "lines": part.lines.map(line)] as [String: Any]
            }
            return [
                "texts": [
                    "added": texts.added, "removed": texts.removed, "parts": parts,
                    "skippedAtEnd": gap(texts.skippedAtEnd, words),
                ] as [String: Any]
            ]
        }
    }

    private static func gap(_ lines: Int, _ words: Words) -> [[String: String]] {
        lines > 0 ? [["text": words.unchanged(lines)]] : []
    }

    private static func line(_ line: TextComparison.Line) -> [String: Any] {
        let isCut = line.text.count > longestLine
        let text = isCut ? line.text.prefix(longestLine) + "…" : line.text[...]
        // Marks that turn text around would make code look like other code; a tab is what it is.
        let shown = text.split(separator: "\t", omittingEmptySubsequences: false).map { ShownName.of(String($0)) }
        return [
            "kind": line.kind.rawValue, "text": shown.joined(separator: "\t"),
            "old": line.oldNumber.map(String.init) ?? "", "new": line.newNumber.map(String.init) ?? "",
            "sign": line.kind == .added ? "+" : line.kind == .removed ? "−" : "",
        ]
    }
}
