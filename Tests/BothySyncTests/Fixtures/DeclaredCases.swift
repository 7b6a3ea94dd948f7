import Foundation
import Testing

/// The cases of an enumeration as its source declares them: so that a list of states in a test cannot forget one.
enum DeclaredCases {
    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources")

    /// - Parameters:
    ///   - type: as it is declared: `enum Cause`.
    ///   - file: below `Sources`.
    static func names(of type: String, in file: String) throws -> Set<String> {
        let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.contains("\(type):") || $0.contains("\(type) ") }, "\(type)")
        let indent = lines[start].prefix { $0 == " " }
        let end = try #require(lines[start...].firstIndex { $0 == "\(indent)}" })
        let own = "\(indent)    case "
        return Set(lines[start..<end].filter { $0.hasPrefix(own) }.flatMap { names(in: $0.dropFirst(own.count)) })
    }

    /// «a, b(C, D), c» names a, b and c.
    private static func names(in list: Substring) -> [String] {
        var (depth, name, names) = (0, "", [String]())
        for character in list {
            if character == "(" { depth += 1 }
            if depth == 0, character == "," || character == " " {
                if !name.isEmpty { names.append(name) }
                name = ""
            } else if depth == 0 {
                name.append(character)
            }
            if character == ")" { depth -= 1 }
        }
        return name.isEmpty ? names : names + [name]
    }
}
