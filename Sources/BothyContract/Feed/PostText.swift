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
    }

    /// Words that look alike. A line feed in them begins a new line.
    public struct Run: Equatable, Sendable {
        public var text: String
        public var isStrong: Bool
        public var isEmphasised: Bool
        public var isCode: Bool
        /// `https:`, `http:` or `mailto:`, in ASCII.
        public var link: String?

        public init(
            _ text: String, isStrong: Bool = false, isEmphasised: Bool = false, isCode: Bool = false,
            link: String? = nil
        ) {
            self.text = text
            self.isStrong = isStrong
            self.isEmphasised = isEmphasised
            self.isCode = isCode
            self.link = link
        }

        /// Whether its words look like those of another.
        func looksLike(_ other: Run) -> Bool {
            isStrong == other.isStrong && isEmphasised == other.isEmphasised && isCode == other.isCode
                && link == other.link
        }
    }

    public struct Block: Equatable, Sendable {
        public var kind: Kind
        public var runs: [Run]

        public init(_ kind: Kind, _ runs: [Run]) {
            self.kind = kind
            self.runs = runs
        }

        /// The words alone.
        public var plain: String { runs.map(\.text).joined() }
    }

    /// None of them is empty.
    public private(set) var blocks: [Block]

    /// What has no words is left out, and spaces that a screen would not show.
    public init(_ blocks: [Block]) {
        self.blocks = blocks.compactMap { block in
            let runs = PostRuns.tidied(block.runs, keepingSpaces: block.kind == .code)
            return runs.isEmpty ? nil : Block(block.kind, runs)
        }
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
    /// - Parameter length: Unicode scalars that it has at most; it ends at the end of a word, with «…».
    /// - Returns: the text itself where it is no longer.
    public func summary(length: Int) -> (text: PostText, isCut: Bool) {
        var (kept, left) = ([Block](), length)
        for block in blocks {
            let count = block.plain.unicodeScalars.count
            guard count > left else {
                kept.append(block)
                left -= count
                continue
            }
            let runs = PostRuns.beginning(of: block.runs, length: left)
            if !runs.isEmpty { kept.append(Block(block.kind, runs)) }
            return (PostText(kept), true)
        }
        return (self, false)
    }
}
