extension MarkdownText {
    /// What blocks lie in.
    public enum Frame: Equatable, Sendable {
        case quote, bullets
        /// - Parameter first: the number that it begins with.
        case numbers(first: Int)
        /// Of the list around it.
        case entry
    }

    /// A block, what begins before it, and what ends after it.
    public struct Placed: Equatable, Sendable {
        /// The outermost first.
        public var begins: [Frame]
        public var block: Block
        /// The innermost first.
        public var ends = [Frame]()
    }

    /// The blocks as they lie in each other: whatever begins ends again, in order.
    public var placed: [Placed] {
        var nesting = MarkdownNesting()
        for block in blocks { nesting.add(block) }
        return nesting.finish()
    }
}

private struct MarkdownNesting {
    private var placed = [MarkdownText.Placed]()
    private var open = [MarkdownText.Frame]()

    mutating func add(_ block: MarkdownText.Block) {
        if (open.first == .quote) != block.isQuote { end(downTo: 0) }
        let outside = block.isQuote ? 1 : 0
        // A list has two frames: itself, and its entry.
        let inside = outside + 2 * (block.depth + 1)
        var begins: [MarkdownText.Frame] = block.isQuote && open.isEmpty ? [.quote] : []
        if let list = block.list {
            end(downTo: inside)
            let goesOn = open.count == inside && open[inside - 2].isSameKind(as: list)
            end(downTo: goesOn ? inside - 1 : inside - 2)
            begins.append(contentsOf: goesOn ? [MarkdownText.Frame.entry] : [list, MarkdownText.Frame.entry])
        } else {
            end(downTo: block.isInItem ? inside : outside)
        }
        open += begins
        placed.append(MarkdownText.Placed(begins: begins, block: block))
    }

    mutating func finish() -> [MarkdownText.Placed] {
        end(downTo: 0)
        return placed
    }

    private mutating func end(downTo count: Int) {
        while open.count > count { placed[placed.count - 1].ends.append(open.removeLast()) }
    }
}

extension MarkdownText.Block {
    /// The list that it is an entry of.
    fileprivate var list: MarkdownText.Frame? {
        guard case .item(let marker) = kind else { return nil }
        // «3)» has its number, and «•» has none.
        if let first = Int(marker.dropLast()) { return .numbers(first: first) }
        return .bullets
    }
}

extension MarkdownText.Frame {
    fileprivate func isSameKind(as other: Self) -> Bool {
        switch (self, other) {
        case (.bullets, .bullets), (.numbers, .numbers): true
        default: false
        }
    }
}
