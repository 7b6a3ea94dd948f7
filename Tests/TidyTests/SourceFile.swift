/// A Swift file as the rules see it.
struct SourceFile: Sendable {
    /// From the package's root: `Sources/BothyServer/Files/FileTable.swift`.
    let path: String
    let text: String
    let lines: [Substring]
    /// The lines with what stands after `//` cut off, numbered from 1; those that hold nothing else are left out.
    let code: [(number: Int, text: Substring)]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        self.lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        self.code = lines.enumerated().compactMap { index, line in
            let code = Self.withoutComment(line)
            return code.utf8.allSatisfy { $0 == UInt8(ascii: " ") } ? nil : (index + 1, code)
        }
    }

    /// `BothyServer` for `Sources/BothyServer/…`, `Benchmarks` for `Benchmarks/…`.
    var target: String {
        let parts = path.split(separator: "/")
        return String(parts.first == "Sources" && parts.count > 1 ? parts[1] : parts[0])
    }

    private static func withoutComment(_ line: Substring) -> Substring {
        let bytes = line.utf8
        var inString = false
        var previous = UInt8(ascii: " ")
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\""), previous != UInt8(ascii: "\\") { inString.toggle() }
            if !inString, byte == UInt8(ascii: "/"), previous == UInt8(ascii: "/") {
                return line[..<bytes.index(before: index)]
            }
            previous = byte
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
