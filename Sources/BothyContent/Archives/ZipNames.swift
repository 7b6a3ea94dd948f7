/// Names of files as an archive can have them on every system that unpacks it, each path once.
package struct ZipNames: Sendable {
    private var taken = Set<String>()
    /// The last number that was given where a path was wanted again: ten thousand of one name are not counted anew each.
    private var numbers = [String: Int]()

    package init() {}

    /// - Parameters:
    ///   - name: of a file or folder.
    ///   - folder: a path that this gave before, with its `/`; empty at the top.
    /// - Returns: the path; a folder's ends with `/`.
    package mutating func path(of name: String, in folder: String, isFolder: Bool) -> String {
        let safe = Self.safe(name)
        var path = folder + safe
        let wanted = path.lowercased()
        var number = numbers[wanted, default: 0]
        // Systems that do not tell case apart would write one over the other.
        while !taken.insert(path.lowercased()).inserted {
            number += 1
            path = folder + Self.numbered(safe, number)
        }
        if number > 0 { numbers[wanted] = number }
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
        if safe.isEmpty || safe.allSatisfy({ $0 == "." }) || isDevice(safe) { return "_" + safe }
        return safe.last == "." || safe.last == " " ? safe + "_" : safe
    }

    /// «aux.txt»: on Windows no file, whatever its ending.
    private static func isDevice(_ name: String) -> Bool {
        let stem = name.prefix { $0 != "." }.uppercased()
        if ["CON", "PRN", "AUX", "NUL"].contains(stem) { return true }
        return stem.count == 4 && (stem.hasPrefix("COM") || stem.hasPrefix("LPT"))
            && stem.last.map { $0.isASCII && $0.isNumber } == true
    }

    /// «report (1).pdf».
    private static func numbered(_ name: String, _ number: Int) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "\(name) (\(number))" }
        return "\(name[..<dot]) (\(number))\(name[dot...])"
    }
}
