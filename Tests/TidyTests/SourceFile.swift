/// A Swift file as the rules see it.
struct SourceFile {
    /// From the package's root: `Sources/BothyServer/Files/FileTable.swift`.
    var path: String
    var text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// `BothyServer` for `Sources/BothyServer/…`, `Benchmarks` for `Benchmarks/…`.
    var target: String {
        let parts = path.split(separator: "/")
        return String(parts.first == "Sources" && parts.count > 1 ? parts[1] : parts[0])
    }

    /// The lines with what stands after `//` cut off, numbered from 1.
    var code: [(number: Int, text: Substring)] {
        lines.enumerated().map { index, line in (index + 1, Self.withoutComment(line)) }
    }

    private static func withoutComment(_ line: Substring) -> Substring {
        var inString = false
        var previous: Character = " "
        for index in line.indices {
            let character = line[index]
            if character == "\"", previous != "\\" { inString.toggle() }
            if !inString, character == "/", previous == "/" { return line[..<line.index(before: index)] }
            previous = character
        }
        return line
    }
}

/// Where a rule is broken, and how.
struct Offence: CustomStringConvertible {
    var path: String
    var line: Int
    var what: String

    var description: String { "\(path):\(line): \(what)" }
}
