import BothyContract

/// What a person types, in Markdown, as the rich text of a post.
public enum PostEncoder {
    /// - Returns: nil where there is more than a post may have.
    public static func text(of typed: String) -> PostText? {
        guard typed.utf8.count <= FeedLimits.maximumContentBytes else { return nil }
        let read = MarkdownText(typed, keepingLines: true)
        let text = PostText(read.blocks.flatMap(blocks))
        return read.isCut || text.length > FeedLimits.maximumCharacters ? nil : text
    }

    private static func blocks(_ block: MarkdownText.Block) -> [PostText.Block] {
        switch block.kind {
        case .heading(let level): [PostText.Block(.heading(level: min(level, 3)), runs(block.runs))]
        case .paragraph: [PostText.Block(block.isQuote ? .quote : .paragraph, runs(block.runs))]
        case .item(let marker):
            [PostText.Block(.item(isNumbered: marker.first?.isNumber ?? false), runs(block.runs), depth: block.depth)]
        case .code: [PostText.Block(.code, runs(block.runs))]
        case .rule: []
        case .table(let table): ([table.head] + table.rows).map(row)
        }
    }

    /// A post has no tables: their cells stand one after the other.
    private static func row(_ cells: [[MarkdownText.Run]]) -> PostText.Block {
        let between = [PostText.Run(" · ")]
        let filled = cells.filter { !$0.isEmpty }.map(runs)
        return PostText.Block(.paragraph, Array(filled.joined(separator: between)))
    }

    private static func runs(_ runs: [MarkdownText.Run]) -> [PostText.Run] { runs.flatMap(linked) }

    /// An address that was typed as it is becomes a link.
    private static func linked(_ run: MarkdownText.Run) -> [PostText.Run] {
        func made(_ text: Substring, link: String? = run.link) -> PostText.Run {
            PostText.Run(
                String(text), isStrong: run.isStrong, isEmphasised: run.isEmphasised, isStruck: run.isStruck,
                isCode: run.isCode, link: link)
        }
        guard run.link == nil, !run.isCode else { return [made(run.text[...])] }
        var (runs, rest) = ([PostText.Run](), run.text[...])
        while let range = rest.firstRange(of: /https?:\/\/[^\s]+/) {
            let address = trimmed(rest[range])
            runs.append(made(rest[..<range.lowerBound]))
            runs.append(made(address, link: PostLink.safe(String(address))))
            rest = rest[address.endIndex...]
        }
        return runs + [made(rest)]
    }

    /// Without what ends the sentence, or the bracket, that it stands in.
    private static func trimmed(_ address: Substring) -> Substring {
        let isBracketed = address.contains("(")
        var address = address
        while let last = address.last, ".,;:!?\"'»”’".contains(last) || last == ")" && !isBracketed {
            address.removeLast()
        }
        return address
    }
}
