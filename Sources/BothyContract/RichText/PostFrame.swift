/// What stands around blocks of a post that belong together.
public enum PostFrame: Equatable, Sendable {
    case quote
    /// - Parameter first: the block that it begins with.
    case list(isNumbered: Bool, first: Int)
    /// An entry of a list, which holds the lists that lie in it.
    ///
    /// - Parameter block: its words.
    case entry(block: Int)
}

extension PostText {
    /// A block with the frames that begin before it, the outermost first, and those that end behind it, the innermost first.
    public struct PlacedBlock: Equatable, Sendable {
        public var block: Block
        public var begins: [PostFrame]
        public var ends: [PostFrame]
    }

    /// Its blocks as a page nests them.
    public var placedBlocks: [PlacedBlock] {
        var (paths, last) = ([[PostFrame]](), [PostFrame]())
        for (index, block) in blocks.enumerated() {
            last = Self.path(to: block, at: index, after: last)
            paths.append(last)
        }
        return blocks.indices.map { index in
            let (path, before) = (paths[index], index > 0 ? paths[index - 1] : [])
            let after = index + 1 < paths.count ? paths[index + 1] : []
            return PlacedBlock(
                block: blocks[index], begins: Array(path.dropFirst(Self.shared(path, before))),
                ends: path.dropFirst(Self.shared(path, after)).reversed())
        }
    }

    private static func shared(_ path: [PostFrame], _ other: [PostFrame]) -> Int {
        zip(path, other).prefix { $0 == $1 }.count
    }

    /// - Parameter before: the frames around the block before.
    private static func path(to block: Block, at index: Int, after before: [PostFrame]) -> [PostFrame] {
        switch block.kind {
        case .paragraph, .heading, .code: return []
        case .quote: return [.quote]
        case .item(let isNumbered):
            // Around an entry stand its list and itself, once for each depth.
            let around = before.first == .quote ? [] : before.prefix(block.depth * 2 + 1)
            if case .list(isNumbered, _) = around.last { return around + [.entry(block: index)] }
            return around.prefix(block.depth * 2) + [
                .list(isNumbered: isNumbered, first: index), .entry(block: index),
            ]
        }
    }
}
