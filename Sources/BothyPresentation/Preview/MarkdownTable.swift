extension MarkdownText {
    /// Words in rows and columns (GitHub Flavored Markdown 0.29, §4.10).
    public struct Table: Equatable, Sendable {
        public enum Alignment: String, Sendable { case start, center, end }

        /// Where the words of each column stand; nil where nothing is said of it.
        public var columns: [Alignment?]
        /// The words of each cell, as many cells as there are columns; so it is in every row.
        public var head: [[Run]]
        public var rows = [[[Run]]]()
    }
}

/// Lines of a table.
enum MarkdownTable {
    /// Columns of a table; what has more is shown as it was typed.
    private static let mostColumns = 100

    /// What the line below the head says of the columns, `| :-- | --: |`; nil for another line.
    static func columns(_ line: Substring) -> [MarkdownText.Table.Alignment?]? {
        guard line.contains("|"), line.allSatisfy({ "|:- \t".contains($0) }) else { return nil }
        let marks = cells(line)
        guard (1...mostColumns).contains(marks.count) else { return nil }
        var columns = [MarkdownText.Table.Alignment?]()
        for mark in marks {
            let (isStart, isEnd) = (mark.hasPrefix(":"), mark.hasSuffix(":"))
            let dashes = mark.dropFirst(isStart ? 1 : 0).dropLast(isEnd ? 1 : 0)
            guard !dashes.isEmpty, dashes.allSatisfy({ $0 == "-" }) else { return nil }
            switch (isStart, isEnd) {
            case (true, true): columns.append(.center)
            case (true, false): columns.append(.start)
            case (false, true): columns.append(.end)
            case (false, false): columns.append(nil)
            }
        }
        return columns
    }

    /// What stands between the pipes of a line; those at its ends are its frame.
    static func cells(_ line: Substring) -> [String] {
        var (cells, cell, isEscaped) = ([String](), "", false)
        for sign in line {
            if isEscaped {
                // Only of a pipe is it the table's; any other is left to the words.
                if sign != "|" { cell.append("\\") }
                cell.append(sign)
                isEscaped = false
            } else if sign == "\\" {
                isEscaped = true
            } else if sign == "|" {
                cells.append(trimmed(cell))
                cell = ""
            } else {
                cell.append(sign)
            }
        }
        if isEscaped { cell.append("\\") }
        let last = trimmed(cell)
        if !last.isEmpty { cells.append(last) }
        if line.first == "|" { cells.removeFirst() }
        return cells
    }

    /// A row of so many cells. What stands beyond the last column is shown in it rather than lost.
    static func row(_ line: Substring, columns: Int) -> [[MarkdownText.Run]] {
        var said = cells(line)
        if said.count > columns {
            let last = said[(columns - 1)...].joined(separator: " | ")
            said = Array(said.prefix(columns - 1)) + [last]
        }
        let runs = said.map { MarkdownRuns.of($0) }
        return runs + [[MarkdownText.Run]](repeating: [], count: columns - runs.count)
    }

    private static func trimmed(_ text: String) -> String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let first = text.firstIndex(where: { !isSpace($0) }), let last = text.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(text[first...last])
    }
}
