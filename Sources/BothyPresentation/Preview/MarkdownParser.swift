/// Line by line: what a line begins with says what it is.
struct MarkdownParser {
    /// Signs by which a list stands further in than the one that it lies in.
    private static let step = 2

    /// What stands between two lines of one paragraph.
    private let betweenLines: String
    private var blocks = [MarkdownText.Block]()
    /// Lines of a paragraph, or of an entry of a list, that may go on.
    private var open: (block: MarkdownText.Block, lines: [Substring])?
    /// A table that may go on, and what it is so far.
    private var table: (block: MarkdownText.Block, rows: MarkdownText.Table)?
    /// What ends the code that goes on, how far in it stands, and its lines.
    private var fence: (mark: String, indent: Int, block: MarkdownText.Block, lines: [Substring])?
    private var isInQuote = false
    /// How far in each list stands that may go on, the outermost first.
    private var indents = [Int]()
    /// Cells of all tables.
    private var cells = 0

    init(betweenLines: String) { self.betweenLines = betweenLines }

    /// Blocks that are complete.
    var count: Int { blocks.count }
    /// There would be more cells than are drawn.
    private(set) var isFull = false

    /// - Parameter line: without its end, `\n`, `\r\n` or `\r`.
    mutating func take(_ line: Substring) {
        if fence != nil { return takeCode(line) }
        var (rest, isQuote) = (line, false)
        if let inner = Self.quoted(rest) { (rest, isQuote) = (inner, true) }
        let indent = rest.prefix { $0 == " " || $0 == "\t" }.reduce(0) { $0 + ($1 == "\t" ? 4 : 1) }
        let content = rest.drop { $0 == " " || $0 == "\t" }
        if content.isEmpty { return close() }
        if isQuote != isInQuote { leave(forQuote: isQuote) }
        if let mark = Self.fence(content) { return openFence(mark, indent) }
        if let (level, words) = Self.heading(content) {
            close()
            return add(block(.heading(level: level), at: indent), [words])
        }
        if let columns = MarkdownTable.columns(content), openTable(columns) { return }
        if Self.isRule(content) {
            close()
            return blocks.append(block(.rule, at: indent))
        }
        if let (marker, words) = Self.item(content) {
            close()
            return open = (entry(marker, at: indent), [Self.task(words) ?? words])
        }
        if let columns = table?.rows.columns.count { return takeRow(content, columns) }
        if open == nil { open = (block(.paragraph, at: indent), []) }
        open?.lines.append(content)
    }

    mutating func finish() -> [MarkdownText.Block] {
        if let fence { addCode(fence.block, fence.lines) }
        close()
        return blocks
    }

    // MARK: - Blocks

    private mutating func close() {
        if let (block, rows) = table {
            table = nil
            var block = block
            block.kind = .table(rows)
            blocks.append(block)
        }
        guard let (block, lines) = open else { return }
        open = nil
        // Its only line became the head of a table.
        if !lines.isEmpty { add(block, lines) }
    }

    private mutating func add(_ block: MarkdownText.Block, _ lines: [Substring]) {
        var block = block
        block.runs = MarkdownRuns.of(lines.joined(separator: betweenLines))
        blocks.append(block)
    }

    private mutating func leave(forQuote isQuote: Bool) {
        close()
        indents = []
        isInQuote = isQuote
    }

    /// What stands so far in goes on in the entry of a list above it, or in none.
    private mutating func block(_ kind: MarkdownText.Kind, at indent: Int) -> MarkdownText.Block {
        while let last = indents.last, indent < last + Self.step { indents.removeLast() }
        return .init(
            kind: kind, depth: max(0, indents.count - 1), isInItem: !indents.isEmpty, isQuote: isInQuote)
    }

    private mutating func entry(_ marker: String, at indent: Int) -> MarkdownText.Block {
        while let last = indents.last, indent < last { indents.removeLast() }
        let isFurther = indents.last.map { indent >= $0 + Self.step } ?? true
        if isFurther, indents.count <= MarkdownText.mostDepth { indents.append(indent) }
        return .init(kind: .item(marker: marker), depth: indents.count - 1, isQuote: isInQuote)
    }

    // MARK: - Code

    private mutating func openFence(_ mark: String, _ indent: Int) {
        close()
        fence = (mark, indent, block(.code, at: indent), [])
    }

    private mutating func takeCode(_ line: Substring) {
        guard let (mark, indent, block, _) = fence else { return }
        let rest = block.isQuote ? Self.quoted(line) ?? line : line
        let content = rest.drop { $0 == " " }
        if content.hasPrefix(mark), content.allSatisfy({ $0 == mark.first || $0 == " " }) {
            if let fence { addCode(fence.block, fence.lines) }
            return fence = nil
        }
        // What the whole code stands in by is not its own.
        let spaces = rest.prefix(indent).prefix { $0 == " " }.count
        fence?.lines.append(rest.dropFirst(spaces))
    }

    private mutating func addCode(_ block: MarkdownText.Block, _ lines: [Substring]) {
        var block = block
        block.runs = [.init(text: lines.joined(separator: "\n"), isCode: true)]
        blocks.append(block)
    }

    // MARK: - Tables

    /// A line that says how columns stand makes the line above it their head, where that has as many cells.
    private mutating func openTable(_ columns: [MarkdownText.Table.Alignment?]) -> Bool {
        guard let (paragraph, lines) = open, paragraph.kind == .paragraph, let head = lines.last,
            MarkdownTable.cells(head).count == columns.count
        else { return false }
        guard hasRoom(for: columns.count) else { return true }
        open?.lines.removeLast()
        close()
        let heads = MarkdownTable.row(head, columns: columns.count)
        table = (paragraph, MarkdownText.Table(columns: columns, head: heads))
        return true
    }

    private mutating func takeRow(_ line: Substring, _ columns: Int) {
        guard hasRoom(for: columns) else { return }
        table?.rows.rows.append(MarkdownTable.row(line, columns: columns))
    }

    private mutating func hasRoom(for more: Int) -> Bool {
        isFull = cells + more > MarkdownText.mostCells
        if !isFull { cells += more }
        return !isFull
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

    /// What begins with a box, ticked or not.
    private static func task(_ words: Substring) -> Substring? {
        for (mark, box) in [("[ ] ", "☐ "), ("[x] ", "☑ "), ("[X] ", "☑ ")] where words.hasPrefix(mark) {
            return Substring(box + words.dropFirst(mark.count))
        }
        return nil
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
