/// A text in Markdown as a screen draws it: one block after the other, each with its runs of words. Nothing in it is markup
/// of the screen's: HTML is text, pictures are their descriptions, and only links to the web and to people are links.
///
/// The part of CommonMark (0.31) that people write by hand: headings, paragraphs, lists, quotes, code, rules; strong and
/// emphasised words, code and links; and tables, words struck through and bare addresses, as GitHub has them. What is none of it is shown as it was typed.
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
        case table(Table)
    }

    public struct Block: Equatable, Sendable {
        public var kind: Kind
        /// How many lists it lies in beyond its own: 0 to ``mostDepth``.
        public var depth = 0
        /// It goes on in the entry of a list that is above it, at ``depth``.
        public var isInItem = false
        public var isQuote = false
        public var runs = [Run]()
    }

    /// Words that look alike.
    public struct Run: Equatable, Sendable {
        public var text: String
        public var isStrong = false
        public var isEmphasised = false
        public var isStruck = false
        public var isCode = false
        /// `https:`, `http:` or `mailto:`.
        public var link: String?
    }

    /// Lists in lists that are told apart.
    public static let mostDepth = 5

    /// Blocks that are drawn: more than anybody reads, and few enough that drawing them keeps nobody waiting.
    public static let mostBlocks = 5_000

    /// Cells of all tables that are drawn, for the same reason.
    public static let mostCells = 10_000

    public let blocks: [Block]
    /// Whether there would be more than ``mostBlocks`` or ``mostCells``; the others are left out.
    public let isCut: Bool

    /// - Parameter keepingLines: lines of one paragraph stay lines, as in a letter; else they are joined.
    public init(_ text: String, keepingLines: Bool = false) {
        var parser = MarkdownParser(betweenLines: keepingLines ? "\n" : " ")
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            parser.take(line)
            if parser.count > Self.mostBlocks || parser.isFull { break }
        }
        let all = parser.finish()
        blocks = Array(all.prefix(Self.mostBlocks))
        isCut = all.count > blocks.count || parser.isFull
    }
}
