/// Names of files as an archive can have them on every system that unpacks it, each path once.
package struct ZipNames: Sendable {
    private var taken = Set<String>()

    package init() {}

    /// - Parameters:
    ///   - name: of a file or folder.
    ///   - folder: a path that this gave before, with its `/`; empty at the top.
    /// - Returns: the path; a folder's ends with `/`.
    package mutating func path(of name: String, in folder: String, isFolder: Bool) -> String {
        let safe = Self.safe(name)
        var path = folder + safe
        var number = 0
        // Systems that do not tell case apart would write one over the other.
        while !taken.insert(path.lowercased()).inserted {
            number += 1
            path = folder + Self.numbered(safe, number)
        }
        return isFolder ? path + "/" : path
    }

    /// Without what leads elsewhere, or is no name, on some system: separators, drive letters, devices of old.
    private static func safe(_ name: String) -> String {
        var text = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            let isForbidden =
                scalar.value < 0x20 || scalar.value == 0x7F || "/\\:*?\"<>|".unicodeScalars.contains(scalar)
            text.append(isForbidden ? "_" : scalar)
        }
        let safe = String(text)
        if safe.isEmpty || safe.allSatisfy({ $0 == "." }) { return "_" + safe }
        return safe.last == "." || safe.last == " " ? safe + "_" : safe
    }

    /// «report (1).pdf».
    private static func numbered(_ name: String, _ number: Int) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "\(name) (\(number))" }
        return "\(name[..<dot]) (\(number))\(name[dot...])"
    }
}
