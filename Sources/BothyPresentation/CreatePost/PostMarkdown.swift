import BothyContract

/// A post's text as Markdown, to continue in a field that has no marks: what ``PostEncoder`` makes of it is the same text again, except for
/// underlines, of which Markdown has none.
public enum PostMarkdown {
    public static func text(of post: PostText) -> String {
        var (text, before) = ("", PostText.Kind?.none)
        for block in post.blocks {
            switch (before, block.kind) {
            case (nil, _): break
            case (.item, .item): text += "\n"
            case (.quote, .quote): text += "\n>\n"
            default: text += "\n\n"
            }
            text += written(block)
            before = block.kind
        }
        return text
    }

    private static func written(_ block: PostText.Block) -> String {
        switch block.kind {
        case .paragraph: return lines(block, of: "")
        case .heading(let level):
            return String(repeating: "#", count: level) + " " + words(block.runs).joined(separator: " ")
        case .quote: return lines(block, of: "> ")
        case .item(let isNumbered):
            let indent = String(repeating: " ", count: 2 * block.depth)
            // A further line of an entry stands as far in as its words.
            return lines(block, first: indent + (isNumbered ? "1. " : "- "), of: indent + "   ")
        case .code:
            let fence = ticks(beyond: block.plain, atLeast: 3)
            return [fence, block.plain, fence].joined(separator: "\n")
        }
    }

    private static func lines(_ block: PostText.Block, first: String? = nil, of prefix: String) -> String {
        words(block.runs).enumerated().map { number, line in
            (number == 0 ? first ?? prefix : prefix) + shielded(line)
        }.joined(separator: "\n")
    }

    // MARK: - Words

    /// Marks around words, in the order in which they open.
    private static let marks: [(sign: String, isOn: @Sendable (PostText.Run) -> Bool)] = [
        ("**", { $0.isStrong }), ("*", { $0.isEmphasised }), ("~~", { $0.isStruck }),
    ]

    /// Line by line. A mark opens before a word and closes behind one: of spaces beside it, it is none.
    private static func words(_ runs: [PostText.Run]) -> [String] {
        var (text, space, open) = ("", "", Set<String>())
        func close(_ signs: Set<String>) {
            for mark in marks.reversed() where open.contains(mark.sign) && !signs.contains(mark.sign) {
                text += mark.sign
                open.remove(mark.sign)
            }
        }
        for run in runs {
            let core = run.text.drop(while: \.isWhitespace)
            space += run.text[..<core.startIndex]
            guard !core.isEmpty else { continue }
            let end = core.lastIndex { !$0.isWhitespace }.map(core.index(after:)) ?? core.endIndex
            let wanted = Set(marks.filter { $0.isOn(run) }.map(\.sign))
            close(wanted)
            text += space
            for mark in marks where wanted.contains(mark.sign) && open.insert(mark.sign).inserted { text += mark.sign }
            text += written(core[..<end], of: run)
            space = String(core[end...])
        }
        close([])
        return text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    }

    private static func written(_ words: Substring, of run: PostText.Run) -> String {
        let text = run.isCode ? code(words) : escaped(words)
        guard let link = run.link else { return text }
        // What stands as it is becomes a link by itself.
        let isBare = link == words && link.hasPrefix("http") && link.last.map { isOfWord($0) || $0 == "/" } ?? false
        if isBare, !run.isCode { return link }
        let address = link.replacing("(", with: "\\(").replacing(")", with: "\\)")
        return "[\(text)](\(address))"
    }

    private static func code(_ words: Substring) -> String {
        let mark = ticks(beyond: String(words), atLeast: 1)
        let gap = words.first == "`" || words.last == "`" ? " " : ""
        return "\(mark)\(gap)\(words)\(gap)\(mark)"
    }

    /// A row of backticks that is longer than all in a text.
    private static func ticks(beyond text: String, atLeast least: Int) -> String {
        var (longest, now) = (0, 0)
        for sign in text {
            now = sign == "`" ? now + 1 : 0
            longest = max(longest, now)
        }
        return String(repeating: "`", count: max(least, longest + 1))
    }

    // MARK: - What would be a mark, and is a sign

    private static func escaped(_ words: Substring) -> String {
        let signs = Array(words)
        var text = ""
        for (place, sign) in signs.enumerated() {
            let (before, after) = (place > 0 ? signs[place - 1] : " ", place + 1 < signs.count ? signs[place + 1] : " ")
            let isMark =
                switch sign {
                case "\\", "*", "`", "[", "]": true
                case "_": !(isOfWord(before) && isOfWord(after))
                case "~": before == "~" || after == "~"
                case "<": after == "h" || after == "H" || after == "m" || after == "M"
                default: false
                }
            if isMark { text += "\\" }
            text.append(sign)
        }
        return text
    }

    private static func isOfWord(_ sign: Character) -> Bool { sign.isLetter || sign.isNumber }

    /// A line whose beginning would make it something else.
    private static func shielded(_ line: String) -> String {
        let isOther =
            line.hasPrefix(">") || line.firstMatch(of: /^(#{1,6}|[-+])( |$)/) != nil
            || line.firstMatch(of: /^[-|:][-|: ]*$/) != nil
        if isOther { return "\\" + line }
        guard let number = line.firstMatch(of: /^[0-9]{1,9}(?=[.)] )/) else { return line }
        return "\(number.output)\\\(line[number.range.upperBound...])"
    }
}
