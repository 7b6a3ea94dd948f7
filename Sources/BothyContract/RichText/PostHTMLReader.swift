/// Reads a post's HTML into blocks, after the tokenizer of the HTML standard as far as a post has use for it.
///
/// https://html.spec.whatwg.org/multipage/parsing.html#tokenization
///
/// It need not agree with browsers about what is broken: what it has understood is written anew, and nothing that it has not
/// understood is kept.
struct PostHTMLReader {
    private var tokens: PostHTMLTokens
    private var blocks = [PostText.Block]()
    private var runs = [PostText.Run]()
    private var (strong, emphasis, underline, strike, code, quotes) = (0, 0, 0, 0, 0, 0)
    private var heading: Int?
    private var isPreformatted = false
    /// Right behind the beginning of preformatted words, where HTML has no line.
    private var isAtBeginningOfCode = false
    /// Of the lists around: whether each is numbered.
    private var lists = [Bool]()
    private var links = [Anchor]()

    /// Where a link leads: nowhere, where both are nil.
    private struct Anchor {
        var link: String?
        var reference: PostReference?
    }

    /// Elements of a kind in each other, beyond which no more are counted.
    private static let deepest = 32

    init(_ html: String) { tokens = PostHTMLTokens(html) }

    mutating func read() -> [PostText.Block] {
        while let token = tokens.next() {
            let isFirstOfCode = isAtBeginningOfCode
            isAtBeginningOfCode = false
            switch token {
            case .text(let text): take(text, isFirstOfCode)
            case .begin(let name, let href, let kind): begin(name, href, kind)
            case .end(let name): end(name)
            }
        }
        endBlock()
        return blocks
    }

    private mutating func take(_ text: String, _ isFirstOfCode: Bool) {
        if isFirstOfCode, text.first == "\n" || text.first == "\r\n" { return append(String(text.dropFirst())) }
        append(isPreformatted ? text : String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 }))
    }

    private mutating func append(_ words: String) {
        runs.append(
            PostText.Run(
                words, isStrong: strong > 0, isEmphasised: emphasis > 0, isUnderlined: underline > 0,
                isStruck: strike > 0, isCode: code > 0 && !isPreformatted, link: links.last?.link,
                reference: links.last?.reference))
    }

    private mutating func endBlock() {
        if !runs.isEmpty { blocks.append(PostText.Block(kind, runs, depth: max(0, lists.count - 1))) }
        runs = []
    }

    private var kind: PostText.Kind {
        if isPreformatted { return .code }
        if let heading { return .heading(level: heading) }
        if let isNumbered = lists.last { return .item(isNumbered: isNumbered) }
        return quotes > 0 ? .quote : .paragraph
    }

    private mutating func begin(_ name: String, _ href: String?, _ kind: String?) {
        switch name {
        case "strong", "b": strong += 1
        case "em", "i": emphasis += 1
        case "u", "ins": underline += 1
        case "s", "del", "strike": strike += 1
        case "code", "kbd", "samp", "tt": code += 1
        case "a": if links.count < Self.deepest { links.append(anchor(href, kind)) }
        case "br": append("\n")
        default:
            guard Self.breaking.contains(name) else { return }
            endBlock()
            beginBlock(name)
        }
    }

    private func anchor(_ href: String?, _ kind: String?) -> Anchor {
        if let href, let kind, let reference = PostReference(address: href, kind: kind) {
            return Anchor(reference: reference)
        }
        return Anchor(link: href.flatMap(PostLink.safe))
    }

    private mutating func beginBlock(_ name: String) {
        switch name {
        case "h1", "h2", "h3": heading = Int(name.dropFirst())
        case "h4", "h5", "h6": heading = 3
        case "pre": (isPreformatted, isAtBeginningOfCode) = (true, true)
        case "blockquote": quotes += 1
        case "ul", "ol": if lists.count < Self.deepest { lists.append(name == "ol") }
        default: break
        }
    }

    private mutating func end(_ name: String) {
        switch name {
        case "strong", "b": strong = max(0, strong - 1)
        case "em", "i": emphasis = max(0, emphasis - 1)
        case "u", "ins": underline = max(0, underline - 1)
        case "s", "del", "strike": strike = max(0, strike - 1)
        case "code", "kbd", "samp", "tt": code = max(0, code - 1)
        case "a": _ = links.popLast()
        default:
            guard Self.breaking.contains(name) else { return }
            endBlock()
            endFrame(name)
        }
    }

    private mutating func endFrame(_ name: String) {
        switch name {
        case "h1", "h2", "h3", "h4", "h5", "h6": heading = nil
        case "pre": isPreformatted = false
        case "blockquote": quotes = max(0, quotes - 1)
        case "ul", "ol": _ = lists.popLast()
        default: break
        }
    }

    /// Elements that begin on a line of their own, and what follows them does too.
    private static let breaking: Set = [
        "p", "div", "section", "article", "header", "footer", "main", "aside", "nav", "figure", "figcaption", "table",
        "tr", "td", "th", "caption", "address", "center", "dl", "dt", "dd", "form", "fieldset", "details", "summary",
        "hr", "body", "html", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "ul", "ol", "li",
    ]
}
