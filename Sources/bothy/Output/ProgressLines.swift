/// Draws a board as lines of text. Pure.
struct ProgressLines: Sendable {
    /// Columns of the terminal; every line fits in one fewer, since the last column wraps on some.
    let columns: Int
    /// Rows that the display may take; the rest of the files are counted.
    let rows: Int

    init(columns: Int, rows: Int) {
        self.columns = max(20, columns)
        self.rows = max(1, min(rows, 12))
    }

    func lines(_ board: ProgressBoard, at now: Double) -> [String] {
        let files = board.rows(at: now)
        let totals = board.totals(at: now)
        var lines = files.prefix(rows).map(line)
        if files.count > rows { lines.append("… and \(files.count - rows) more") }
        if totals.files > 1 { lines.append(line(totals)) }
        return lines.map { TerminalText.fitted($0, to: columns - 1) }
    }

    private func line(_ row: ProgressBoard.Row) -> String {
        let facts = Self.facts(row)
        let room = max(8, columns - 1 - TerminalText.width(facts) - 2)
        let label = TerminalText.fitted(TerminalText.safe(row.label), to: min(room, 48))
        return TerminalText.padded(label, to: min(room, 48)) + "  " + facts
    }

    private static func facts(_ row: ProgressBoard.Row) -> String {
        switch row.phase {
        case .waiting: return "waiting"
        case .preparing: return "preparing"
        case .held(let why):
            let share = row.total.map { percent(row.done, of: $0) + "  " } ?? ""
            return share + TerminalText.safe(why)
        case .verifying: return "100%  checking"
        case .done: return "done"
        case .failed: return "failed"
        case .transferring: break
        }
        guard let total = row.total else {
            return [ByteText.text(row.done), row.rate.map(ByteText.rate)].compactMap { $0 }.joined(separator: "  ")
        }
        var parts = [percent(row.done, of: total), "\(ByteText.text(row.done)) of \(ByteText.text(total))"]
        if let rate = row.rate {
            parts.append(ByteText.rate(rate))
            parts.append(DurationText.clock(Double(total - row.done) / rate) + " left")
        }
        return parts.joined(separator: "  ")
    }

    private func line(_ totals: ProgressBoard.Totals) -> String {
        var parts = ["\(totals.filesDone) of \(totals.files)\(totals.bytesExpected == nil ? "+" : "") files"]
        if totals.filesFailed > 0 { parts.append("\(totals.filesFailed) failed") }
        if let expected = totals.bytesExpected {
            parts.append(Self.percent(totals.bytes, of: expected))
            parts.append("\(ByteText.text(totals.bytes)) of \(ByteText.text(expected))")
        } else {
            parts.append(ByteText.text(totals.bytes))
        }
        if let rate = totals.rate { parts.append(ByteText.rate(rate)) }
        if let left = totals.left { parts.append(DurationText.clock(left) + " left") }
        return "In all  " + parts.joined(separator: "  ")
    }

    /// Rounded down, so that 100 % is said only when nothing is missing.
    static func percent(_ done: Int64, of total: Int64) -> String {
        guard total > 0 else { return "100%" }
        let percent = Int(Double(done) / Double(total) * 100)
        let text = done >= total ? "100%" : "\(min(99, max(0, percent)))%"
        return TerminalText.padded(text, to: 4, right: true)
    }

    /// One line for a log, where nothing can be drawn over; nil while there is nothing to tell.
    static func logLine(_ board: ProgressBoard, at now: Double) -> String? {
        let totals = board.totals(at: now)
        var parts: [String] = []
        if totals.files > 1 { parts.append("\(totals.filesDone) of \(totals.files) files") }
        if let expected = totals.bytesExpected, expected > 0 {
            let percent = percent(totals.bytes, of: expected).drop { $0 == " " }
            parts.append("\(percent), \(ByteText.text(totals.bytes)) of \(ByteText.text(expected))")
        } else if totals.bytes > 0 {
            parts.append(ByteText.text(totals.bytes))
        }
        if parts.isEmpty { return nil }
        if let rate = totals.rate { parts.append(ByteText.rate(rate)) }
        if let left = totals.left { parts.append(DurationText.clock(left) + " left") }
        return parts.joined(separator: ", ")
    }
}
