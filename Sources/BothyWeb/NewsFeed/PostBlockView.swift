import BothyContract
import Mustache

/// One block of a post's text, as its view names things. Each name has its answer here: what has none is looked for further out.
struct PostBlockView: MustacheParent {
    private let placed: PostText.PlacedBlock

    /// All blocks of a text.
    static func all(of text: PostText) -> [PostBlockView] { text.placedBlocks.map { PostBlockView(placed: $0) } }

    func child(named name: String) -> Any? {
        let block = placed.block
        return switch name {
        case "begins": placed.begins.map { PostFrameView(frame: $0) }
        case "ends": placed.ends.map { PostFrameView(frame: $0) }
        case "isParagraph": block.kind == .paragraph || block.kind == .quote
        case "isItem": block.kind == .item(isNumbered: true) || block.kind == .item(isNumbered: false)
        case "isCode": block.kind == .code
        case "heading": heading
        case "runs": block.runs.map { PostRunView(run: $0, isPreformatted: block.kind == .code) }
        default: nil
        }
    }

    /// The page has a heading of its own.
    private var heading: Int? {
        guard case .heading(let level) = placed.block.kind else { return nil }
        return level + 1
    }
}

/// What stands around blocks that belong together.
private struct PostFrameView: MustacheParent {
    let frame: PostFrame

    func child(named name: String) -> Any? {
        switch (name, frame) {
        case ("isQuote", .quote), ("isNumbers", .list(isNumbered: true, _)),
            ("isBullets", .list(isNumbered: false, _)), ("isEntry", .entry):
            true
        case ("isQuote", _), ("isNumbers", _), ("isBullets", _), ("isEntry", _): false
        default: nil
        }
    }
}

/// Words of a block that look alike.
private struct PostRunView: MustacheParent {
    let run: PostText.Run
    /// Its lines are broken as they are.
    let isPreformatted: Bool

    func child(named name: String) -> Any? {
        switch name {
        // False, and not nil: what is nil here is looked for in the page around.
        case "link": run.link as Any? ?? false
        case "reference": run.reference.map { ["address": $0.address, "kind": $0.kind] as Any } ?? false
        case "isStrong": run.isStrong
        case "isEmphasised": run.isEmphasised
        case "isUnderlined": run.isUnderlined
        case "isStruck": run.isStruck
        case "isCode": run.isCode && !isPreformatted
        case "lines": lines
        default: nil
        }
    }

    private var lines: [[String: Any]] {
        guard !isPreformatted else { return [["text": run.text, "isNext": false]] }
        return run.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
            ["text": String(line), "isNext": index > 0]
        }
    }
}
