import BothyContract
import Mustache

/// One block of a post's text, as its view names things. Each name has its answer here: what has none is looked for further out.
struct PostBlockView: MustacheParent {
    private let block: PostText.Block
    /// The blocks before and after it have no part in what it stands in.
    private let (isFirst, isLast): (Bool, Bool)

    /// All blocks of a text.
    static func all(of text: PostText) -> [PostBlockView] {
        let frames = text.blocks.map { PostFrame($0.kind) }
        return text.blocks.indices.map { index in
            let before = index > 0 ? frames[index - 1] : nil
            let after = index + 1 < frames.count ? frames[index + 1] : nil
            return PostBlockView(
                block: text.blocks[index], isFirst: frames[index] != before, isLast: frames[index] != after)
        }
    }

    private init(block: PostText.Block, isFirst: Bool, isLast: Bool) {
        self.block = block
        (self.isFirst, self.isLast) = (isFirst, isLast)
    }

    func child(named name: String) -> Any? {
        switch name {
        case "begins": isFirst ? PostFrame(block.kind) : nil
        case "ends": isLast ? PostFrame(block.kind) : nil
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
        guard case .heading(let level) = block.kind else { return nil }
        return level + 1
    }
}

/// What stands around blocks that follow each other.
private enum PostFrame: MustacheParent {
    case quote, bullets, numbers

    init?(_ kind: PostText.Kind) {
        switch kind {
        case .quote: self = .quote
        case .item(let isNumbered): self = isNumbered ? .numbers : .bullets
        case .paragraph, .heading, .code: return nil
        }
    }

    func child(named name: String) -> Any? {
        switch name {
        case "isQuote": self == .quote
        case "isBullets": self == .bullets
        case "isNumbers": self == .numbers
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
        case "link": run.link
        case "isStrong": run.isStrong
        case "isEmphasised": run.isEmphasised
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
