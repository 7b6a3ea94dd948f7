/// One line of a `.bothyignore`, in gitignore's language.
///
/// It means what git 2.39 makes of it, odd lines included (`dir.c`, `wildmatch.c`), so that a `.gitignore` can be copied; one test holds
/// the two against each other. It differs in one point: `?` takes a whole character, as gitignore(5) says, where git takes one byte.
package struct IgnorePattern: Hashable, Sendable {
    /// The line as it is written.
    package let text: String
    /// Whether what it matches is taken in again.
    package let isNegated: Bool
    package let isForFoldersOnly: Bool
    /// Whether it holds for the whole path from its folder, not for a name anywhere below it.
    let isAnchored: Bool
    private let glob: IgnoreGlob

    /// - Returns: nil for an empty line, a comment, and a pattern that can match nothing.
    package init?(line: some StringProtocol) {
        var bytes = Array(line.utf8)
        // Before the spaces: on Windows it is the last byte of the line.
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard bytes.first != UInt8(ascii: "#") else { return nil }
        bytes = Self.withoutTrailingSpaces(bytes)
        text = String(decoding: bytes, as: UTF8.self)
        isNegated = bytes.first == UInt8(ascii: "!")
        if isNegated { bytes.removeFirst() }
        isForFoldersOnly = bytes.last == UInt8(ascii: "/")
        if isForFoldersOnly { bytes.removeLast() }
        isAnchored = bytes.contains(UInt8(ascii: "/"))
        if bytes.first == UInt8(ascii: "/") { bytes.removeFirst() }
        guard !bytes.isEmpty, let glob = IgnoreGlob(bytes) else { return nil }
        self.glob = glob
    }

    /// - Parameter path: the way from the folder that the pattern stands in.
    package func matches(_ path: IgnorePath) -> Bool {
        if isForFoldersOnly, path.kind != .folder { return false }
        return glob.matches(isAnchored ? path.whole : path.name)
    }

    private static func withoutTrailingSpaces(_ line: [UInt8]) -> [UInt8] {
        var line = line
        while line.last == UInt8(ascii: " ") {
            let slashes = line.dropLast().reversed().prefix { $0 == UInt8(ascii: "\\") }.count
            if slashes % 2 == 1 { break }
            line.removeLast()
        }
        return line
    }
}
