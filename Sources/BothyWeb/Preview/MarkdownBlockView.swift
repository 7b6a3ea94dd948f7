import BothyPresentation
import Mustache

/// One block of a text in Markdown, as its view names things.
struct MarkdownBlockView: MustacheParent {
    private let placed: MarkdownText.Placed

    init(_ placed: MarkdownText.Placed) { self.placed = placed }

    func child(named name: String) -> Any? {
        let block = placed.block
        switch name {
        case "begins": return placed.begins.map { MarkdownFrameView($0) }
        case "ends": return placed.ends.map { MarkdownFrameView($0) }
        case "runs": return block.runs.map { MarkdownRunView($0) }
        case "isParagraph": return block.kind == .paragraph
        case "isCode": return block.kind == .code
        case "isRule": return block.kind == .rule
        case "isItem":
            if case .item = block.kind { return true }
            return false
        case "table":
            if case .table(let table) = block.kind { return MarkdownTableView(table) }
            return nil
        case "heading":
            // The page's own heading is the file's name.
            if case .heading(let level) = block.kind { return min(level + 1, 6) }
            return nil
        default: return nil
        }
    }
}

/// What begins or ends around a block. Each name has its answer here: what has none is looked for further out.
private struct MarkdownFrameView: MustacheParent {
    private let frame: MarkdownText.Frame

    init(_ frame: MarkdownText.Frame) { self.frame = frame }

    func child(named name: String) -> Any? {
        switch name {
        case "isQuote": return frame == .quote
        case "isBullets": return frame == .bullets
        case "isEntry": return frame == .entry
        case "isNumbers":
            if case .numbers = frame { return true }
            return false
        case "first":
            if case .numbers(let first) = frame { return first }
            return nil
        default: return nil
        }
    }
}

private struct MarkdownTableView: MustacheParent {
    private let table: MarkdownText.Table

    init(_ table: MarkdownText.Table) { self.table = table }

    func child(named name: String) -> Any? {
        switch name {
        case "head": return cells(table.head)
        case "rows": return table.rows.map { ["cells": cells($0)] }
        default: return nil
        }
    }

    private func cells(_ row: [[MarkdownText.Run]]) -> [MarkdownCellView] {
        zip(row, table.columns).map { MarkdownCellView(runs: $0, alignment: $1) }
    }
}

private struct MarkdownCellView: MustacheParent {
    let runs: [MarkdownText.Run]
    let alignment: MarkdownText.Table.Alignment?

    func child(named name: String) -> Any? {
        switch name {
        case "runs": return runs.map { MarkdownRunView($0) }
        case "alignment": return alignment?.rawValue
        default: return nil
        }
    }
}

/// Words of a block that look alike.
private struct MarkdownRunView: MustacheParent {
    private let run: MarkdownText.Run

    init(_ run: MarkdownText.Run) { self.run = run }

    func child(named name: String) -> Any? {
        switch name {
        case "text": run.text
        case "isStrong": run.isStrong
        case "isEmphasised": run.isEmphasised
        case "isStruck": run.isStruck
        case "isCode": run.isCode
        case "link": run.link
        default: nil
        }
    }
}
