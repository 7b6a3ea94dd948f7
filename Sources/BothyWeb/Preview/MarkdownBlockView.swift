import BothyPresentation
import Mustache

/// One block of a text in Markdown, as its view names things.
struct MarkdownBlockView: MustacheParent {
    private let block: MarkdownText.Block

    init(_ block: MarkdownText.Block) { self.block = block }

    func child(named name: String) -> Any? {
        switch name {
        case "depth": block.depth
        case "isQuote": block.isQuote
        case "runs": block.runs.map { MarkdownRunView($0) }
        case "isParagraph": block.kind == .paragraph
        case "isCode": block.kind == .code
        case "isRule": block.kind == .rule
        case "marker":
            if case .item(let marker) = block.kind { marker } else { nil }
        case "heading":
            // The page's own heading is the file's name.
            if case .heading(let level) = block.kind { min(level + 1, 6) } else { nil }
        default: nil
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
        case "isCode": run.isCode
        case "link": run.link
        default: nil
        }
    }
}
