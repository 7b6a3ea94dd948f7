/// The rich text of a post: one block after the other, each with its runs of words.
///
/// It is the only way in which a post's HTML is understood or written. What comes from outside is read into it, and what is
/// stored, sent and shown is written from it, so nothing that it has no word for can pass: no script, no style, no address but
/// those of the web and of mail.
public struct PostText: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case paragraph
        /// - Parameter level: 1 to 3.
        case heading(level: Int)
        case quote
        /// An entry of a list.
        case item(isNumbered: Bool)
        /// Its spaces and lines are as they were typed.
        case code

        var isItem: Bool {
            if case .item = self { true } else { false }
        }
    }

    /// Words that look alike. A line feed in them begins a new line.
    public struct Run: Equatable, Sendable {
        public var text: String
        public var isStrong: Bool
        public var isEmphasised: Bool
        public var isUnderlined: Bool
        public var isStruck: Bool
        public var isCode: Bool
        /// `https:`, `http:` or `mailto:`, in ASCII; nil for what is a reference.
        public var link: String?
        /// Whom, or which hashtag, the words name.
        public var reference: PostReference?

        public init(
            _ text: String, isStrong: Bool = false, isEmphasised: Bool = false, isUnderlined: Bool = false,
            isStruck: Bool = false, isCode: Bool = false, link: String? = nil, reference: PostReference? = nil
        ) {
            self.text = text
            self.isStrong = isStrong
            self.isEmphasised = isEmphasised
            self.isUnderlined = isUnderlined
            self.isStruck = isStruck
            self.isCode = isCode
            self.link = link
            self.reference = reference
        }

        /// Whether its words look like those of another.
        func looksLike(_ other: Run) -> Bool {
            isStrong == other.isStrong && isEmphasised == other.isEmphasised && isUnderlined == other.isUnderlined
                && isStruck == other.isStruck && isCode == other.isCode && link == other.link
                && reference == other.reference
        }
    }

    public struct Block: Equatable, Sendable {
        public var kind: Kind
        public var runs: [Run]
        /// Of an entry of a list: how many lists that list lies in, 0 to ``PostText/mostDepth``. 0 for what is none.
        public var depth: Int

        public init(_ kind: Kind, _ runs: [Run], depth: Int = 0) {
            self.kind = kind
            self.runs = runs
            self.depth = depth
        }

        /// The words alone.
        public var plain: String { runs.map(\.text).joined() }
    }

    /// None of them is empty.
    public private(set) var blocks: [Block]

    /// Lists that an entry's list can lie in; what is deeper is shown there.
    public static let mostDepth = 7

    /// What has no words is left out, and spaces that a screen would not show. A list that lies in no entry of another is no
    /// deeper than it.
    public init(_ blocks: [Block]) {
        var (tidy, deepest) = ([Block](), 0)
        for block in blocks {
            let runs = PostRuns.tidied(block.runs, keepingSpaces: block.kind == .code)
            guard !runs.isEmpty else { continue }
            let depth = block.kind.isItem ? min(max(block.depth, 0), deepest) : 0
            deepest = block.kind.isItem ? min(depth + 1, Self.mostDepth) : 0
            tidy.append(Block(block.kind, runs, depth: depth))
        }
        self.blocks = tidy
    }

    /// Reads HTML: see ``PostHTMLReader``. Never fails; what is not understood is dropped, and its words stay.
    public init(html: String) {
        var reader = PostHTMLReader(html)
        self.init(reader.read())
    }

    public var isEmpty: Bool { blocks.isEmpty }

    /// The words alone, a line for each block.
    public var plain: String { blocks.map(\.plain).joined(separator: "\n") }

    /// Its beginning.
    ///
    /// - Parameter length: characters that it has at most, as ``PostLength`` counts; it ends at the end of a word, with «…».
    /// - Returns: the text itself where it is no longer.
    public func summary(length: Int) -> (text: PostText, isCut: Bool) {
        var (kept, left) = ([Block](), length)
        for block in blocks {
            let count = block.length
            guard count > left else {
                kept.append(block)
                left -= count
                continue
            }
            let runs = PostRuns.beginning(of: block.runs, length: left)
            if !runs.isEmpty { kept.append(Block(block.kind, runs, depth: block.depth)) }
            return (PostText(kept), true)
        }
        return (self, false)
    }
}
