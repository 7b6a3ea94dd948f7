/// The name of a file or folder within its folder, told apart byte by byte.
///
/// Swift's strings call `é` in one code point and `é` in two the same; most disks do not, and a tree must not lose one of
/// two siblings.
package struct NodeName: Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package var byteCount: Int { text.utf8.count }
}

extension NodeName: Hashable, Comparable {
    package static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    /// The order of bytes, which is the order of code points.
    package static func < (left: Self, right: Self) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension NodeName: ExpressibleByStringLiteral, CustomStringConvertible {
    package init(stringLiteral text: String) { self.init(text) }

    package var description: String { text }
}

extension NodeName: Codable {
    package init(from decoder: any Decoder) throws { text = try String(from: decoder) }

    package func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
