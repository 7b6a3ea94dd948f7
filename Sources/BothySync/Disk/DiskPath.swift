/// Where something lies in a bound folder: the names from the folder down, byte for byte as the disk has them.
///
/// Two paths are equal when their bytes are: a disk may hold the composed and the decomposed form of one name side by
/// side, which Swift's strings take for the same.
package struct DiskPath: Sendable {
    /// Names joined by slashes; empty for the bound folder itself.
    package let text: String

    package static let root = DiskPath(text: "")

    private init(text: String) { self.text = text }

    /// - Parameter names: none of them empty, `.`, `..`, or with a slash in it.
    package init(names: [String]) { text = names.joined(separator: "/") }

    /// Reads `a/b`; blanks between slashes and slashes at the ends are let pass.
    package init(_ text: String) { self.init(names: text.split(separator: "/").map(String.init)) }

    package var names: [String] { text.utf8.isEmpty ? [] : text.split(separator: "/").map(String.init) }
    package var isRoot: Bool { text.utf8.isEmpty }
    /// The last name; empty for the root.
    package var name: String { names.last ?? "" }
    /// The root's is the root.
    package var parent: DiskPath { DiskPath(names: Array(names.dropLast())) }

    package func appending(_ name: String) -> DiskPath { DiskPath(text: isRoot ? name : "\(text)/\(name)") }

    /// Whether this is `folder`, or lies anywhere below it.
    package func lies(in folder: DiskPath) -> Bool {
        folder.isRoot || self == folder
            || (text.utf8.count > folder.text.utf8.count && text.utf8.starts(with: folder.text.utf8)
                && text.utf8.dropFirst(folder.text.utf8.count).first == UInt8(ascii: "/"))
    }
}

extension DiskPath: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension DiskPath: CustomStringConvertible {
    package var description: String { isRoot ? "." : text }
}
