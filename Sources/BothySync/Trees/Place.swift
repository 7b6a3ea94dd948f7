/// Where something is in a tree: the names on the way from the root, `docs/report.pdf`. The root's own place is empty.
///
/// Told apart byte by byte, as names are.
package struct Place: Hashable, Sendable {
    /// Names with `/` between them; empty for the root.
    private let joined: NodeName

    package static let root = Place(text: "")

    /// - Parameter text: names with single slashes between them and none at either end.
    package init(text: String) { joined = NodeName(text) }

    package init(_ names: some Sequence<NodeName>) { self.init(text: names.map(\.text).joined(separator: "/")) }

    package var text: String { joined.text }
    package var isRoot: Bool { text.isEmpty }

    package var names: [NodeName] { text.utf8.split(separator: UInt8(ascii: "/")).map { NodeName(String($0)!) } }

    /// The last name; empty for the root.
    package var name: NodeName {
        guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return joined }
        return NodeName(String(text[text.utf8.index(after: slash)...]))
    }

    /// The folder that this is in; the root is in itself.
    package var parent: Place {
        guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return .root }
        return Place(text: String(text[..<slash]))
    }

    /// Names between the root and here, this one's included.
    package var depth: Int { isRoot ? 0 : text.utf8.count { $0 == UInt8(ascii: "/") } + 1 }

    package func appending(_ name: NodeName) -> Place {
        isRoot ? Place(text: name.text) : Place(text: "\(text)/\(name.text)")
    }

    /// Whether this is `other` or lies below it.
    package func isWithin(_ other: Place) -> Bool {
        guard !other.isRoot else { return true }
        let (mine, its) = (text.utf8, other.text.utf8)
        guard mine.starts(with: its) else { return false }
        return mine.count == its.count || mine[mine.index(mine.startIndex, offsetBy: its.count)] == UInt8(ascii: "/")
    }
}

extension Place: Comparable {
    /// A folder comes before what is in it, and what is in it before the folder's next sibling.
    package static func < (left: Self, right: Self) -> Bool {
        func rank(_ byte: UInt8) -> UInt8 { byte == UInt8(ascii: "/") ? 0 : byte }
        let (mine, its) = (left.text.utf8, right.text.utf8)
        guard let differing = zip(mine, its).first(where: { $0 != $1 }) else { return mine.count < its.count }
        return rank(differing.0) < rank(differing.1)
    }
}

extension Place: ExpressibleByStringLiteral, CustomStringConvertible {
    package init(stringLiteral text: String) { self.init(text: text) }

    package var description: String { isRoot ? "/" : text }
}

extension Place: Codable {
    package init(from decoder: any Decoder) throws { joined = try NodeName(from: decoder) }

    package func encode(to encoder: any Encoder) throws { try joined.encode(to: encoder) }
}
