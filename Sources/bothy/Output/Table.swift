/// Rows of text in columns that line up, for a terminal.
struct Table: Sendable {
    struct Column: Sendable {
        var title: String
        var right: Bool

        init(_ title: String, right: Bool = false) {
            self.title = title
            self.right = right
        }
    }

    private let columns: [Column]
    private var rows: [[String]] = []

    /// - Parameter columns: with no titles at all, no heading is printed.
    init(_ columns: [Column]) { self.columns = columns }

    /// - Parameter cells: one for each column, made safe here.
    mutating func add(_ cells: [String]) {
        precondition(cells.count == columns.count, "a cell for each column")
        rows.append(cells.map(TerminalText.safe))
    }

    var isEmpty: Bool { rows.isEmpty }

    /// The heading and the rows, with no blanks at the ends of lines.
    var lines: [String] {
        let titles = columns.map(\.title)
        let all = titles.contains { !$0.isEmpty } ? [titles] + rows : rows
        let widths = columns.indices.map { column in all.map { TerminalText.width($0[column]) }.max() ?? 0 }
        return all.map { row in
            let cells = columns.indices.map { column in
                TerminalText.padded(row[column], to: widths[column], right: columns[column].right)
            }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
