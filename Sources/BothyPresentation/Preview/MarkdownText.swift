/// A text in Markdown as a screen draws it: one block after the other, each with its runs of words. Nothing in it is markup
/// of the screen's: HTML is text, pictures are their descriptions, and only links to the web and to people are links.
///
/// The part of CommonMark (0.31) that people write by hand: headings, paragraphs, lists, quotes, code, rules; strong and
/// emphasised words, code and links. What is none of it is shown as it was typed.
public struct MarkdownText: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        /// - Parameter level: 1 to 6.
        case heading(level: Int)
        case paragraph
        /// An entry of a list.
        ///
        /// - Parameter marker: «•», or its number with what stands after it.
        case item(marker: String)
        case code
        case rule
    }

    public struct Block: Equatable, Sendable {
        public var kind: Kind
        /// How many lists it lies in beyond its own: 0 to ``mostDepth``.
        public var depth = 0
        public var isQuote = false
        public var runs = [Run]()
    }

    /// Words that look alike.
    public struct Run: Equatable, Sendable {
        public var text: String
        public var isStrong = false
        public var isEmphasised = false
        public var isCode = false
        /// `https:`, `http:` or `mailto:`.
        public var link: String?
    }

    /// Lists in lists that are told apart.
    public static let mostDepth = 5

    /// Blocks that are drawn: more than anybody reads, and few enough that drawing them keeps nobody waiting.
    public static let mostBlocks = 5_000

    public let blocks: [Block]
    /// Whether there would be more than ``mostBlocks``; the others are left out.
    public let isCut: Bool

    public init(_ text: String) {
        var parser = MarkdownParser()
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            parser.take(line)
            if parser.count > Self.mostBlocks { break }
        }
        let all = parser.finish()
        blocks = Array(all.prefix(Self.mostBlocks))
        isCut = all.count > blocks.count
    }
}

/// Line by line: what a line begins with says what it is.
private struct MarkdownParser {
    private var blocks = [MarkdownText.Block]()
    /// Lines of a paragraph, or of an entry of a list, that may go on.
    private var open: (block: MarkdownText.Block, lines: [Substring])?
    /// What ends the code that goes on, and its lines.
    private var fence: (mark: String, block: MarkdownText.Block, lines: [Substring])?

    /// Blocks that are complete.
    var count: Int { blocks.count }

    /// - Parameter line: without its end, `\n`, `\r\n` or `\r`.
    mutating func take(_ line: Substring) {
        if fence != nil { return takeCode(line) }
        var (rest, isQuote) = (line, false)
        if let inner = Self.quoted(rest) { (rest, isQuote) = (inner, true) }
        let indent = rest.prefix { $0 == " " || $0 == "\t" }.reduce(0) { $0 + ($1 == "\t" ? 4 : 1) }
        let content = rest.drop { $0 == " " || $0 == "\t" }
        if content.isEmpty { return close() }
        if isQuote != (open?.block.isQuote ?? isQuote) { close() }
        if let mark = Self.fence(content) { return openFence(mark, isQuote) }
        if let (level, words) = Self.heading(content) {
            close()
            return add(.init(kind: .heading(level: level), isQuote: isQuote), [words])
        }
        if Self.isRule(content) {
            close()
            return blocks.append(.init(kind: .rule, isQuote: isQuote))
        }
        if let (marker, words) = Self.item(content) {
            close()
            let depth = min(indent / 2, MarkdownText.mostDepth)
            open = (.init(kind: .item(marker: marker), depth: depth, isQuote: isQuote), [words])
            return
        }
        if open == nil { open = (.init(kind: .paragraph, isQuote: isQuote), []) }
        open?.lines.append(content)
    }

    mutating func finish() -> [MarkdownText.Block] {
        if let fence { addCode(fence.block, fence.lines) }
        close()
        return blocks
    }

    // MARK: - Blocks

    private mutating func close() {
        guard let (block, lines) = open else { return }
        open = nil
        add(block, lines)
    }

    private mutating func add(_ block: MarkdownText.Block, _ lines: [Substring]) {
        var block = block
        block.runs = MarkdownRuns.of(lines.joined(separator: " "))
        blocks.append(block)
    }

    private mutating func openFence(_ mark: String, _ isQuote: Bool) {
        close()
        fence = (mark, .init(kind: .code, isQuote: isQuote), [])
    }

    private mutating func takeCode(_ line: Substring) {
        guard let mark = fence?.mark, let isQuote = fence?.block.isQuote else { return }
        let rest = isQuote ? Self.quoted(line) ?? line : line
        let content = rest.drop { $0 == " " }
        if content.hasPrefix(mark), content.allSatisfy({ $0 == mark.first || $0 == " " }) {
            if let fence { addCode(fence.block, fence.lines) }
            return fence = nil
        }
        fence?.lines.append(rest)
    }

    private mutating func addCode(_ block: MarkdownText.Block, _ lines: [Substring]) {
        var block = block
        block.runs = [.init(text: lines.joined(separator: "\n"), isCode: true)]
        blocks.append(block)
    }

    // MARK: - Lines

    private static func quoted(_ line: Substring) -> Substring? {
        let content = line.drop { $0 == " " }
        guard content.first == ">" else { return nil }
        let rest = content.dropFirst()
        return rest.first == " " ? rest.dropFirst() : rest
    }

    private static func fence(_ line: Substring) -> String? {
        for sign in ["`", "~"] as [Character] {
            let mark = line.prefix { $0 == sign }
            if mark.count >= 3, !line.dropFirst(mark.count).contains("`") { return String(mark) }
        }
        return nil
    }

    private static func heading(_ line: Substring) -> (level: Int, words: Substring)? {
        let marks = line.prefix { $0 == "#" }
        let rest = line.dropFirst(marks.count)
        guard (1...6).contains(marks.count), rest.isEmpty || rest.first == " " else { return nil }
        var words = rest.drop { $0 == " " }
        while words.last == "#" || words.last == " " { words.removeLast() }
        return (marks.count, words)
    }

    private static func isRule(_ line: Substring) -> Bool {
        let signs = line.filter { $0 != " " }
        return signs.count >= 3 && ["-", "*", "_"].contains(signs.first) && Set(signs).count == 1
    }

    private static func item(_ line: Substring) -> (marker: String, words: Substring)? {
        if let sign = line.first, "-*+".contains(sign), line.dropFirst().first == " " {
            return ("•", line.dropFirst(2).drop { $0 == " " })
        }
        let digits = line.prefix { $0.isASCII && $0.isNumber }
        let rest = line.dropFirst(digits.count)
        guard (1...9).contains(digits.count), let sign = rest.first, ".)".contains(sign), rest.dropFirst().first == " "
        else { return nil }
        return (digits + String(sign), rest.dropFirst(2).drop { $0 == " " })
    }
}
