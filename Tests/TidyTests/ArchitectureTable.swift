import Foundation

/// The table of targets as a person reads it in ARCHITECTURE.md.
enum ArchitectureTable {
    struct Unreadable: Error {
        var line: String
    }

    /// What each target may import; `nil` for everything.
    static func read() throws -> [String: Set<String>?] {
        let page = try String(contentsOf: SourceTree.root.appending(path: "ARCHITECTURE.md"), encoding: .utf8)
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        let rows = lines.drop { !$0.hasPrefix("target ") }.dropFirst().prefix { !$0.hasPrefix("```") }
        let targets = try rows.map { try row($0) }
        let names = Set(targets.map(\.target))
        return try Dictionary(
            uniqueKeysWithValues: targets.map { ($0.target, try allowed($0.words, to: $0.target, among: names)) })
    }

    /// The rooms of each target, as the second table names them.
    static func rooms() throws -> [String: Set<String>] {
        let page = try String(contentsOf: SourceTree.root.appending(path: "ARCHITECTURE.md"), encoding: .utf8)
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        let rows = lines.drop { $0 != "| target | rooms |" }.dropFirst(2).prefix { $0.hasPrefix("|") }
        return try Dictionary(
            uniqueKeysWithValues: rows.map { line in
                guard let match = line.wholeMatch(of: #/\| `(\w+)` \| (.*) \|/#) else {
                    throw Unreadable(line: String(line))
                }
                return (String(match.1), Set(match.2.matches(of: #/\b([A-Z]\w*)\//#).map { String($0.1) }))
            })
    }

    private static func row(_ line: Substring) throws -> (target: String, words: String) {
        guard let match = line.wholeMatch(of: #/(\w+) +(\S.*?)  +\S.*/#) else { throw Unreadable(line: String(line)) }
        return (String(match.1), String(match.2))
    }

    private static func allowed(_ words: String, to target: String, among names: Set<String>) throws -> Set<String>? {
        if words == "everything" { return nil }
        if words == "nothing" { return [] }
        if let others = words.wholeMatch(of: #/all but (.*)/#) { return names.subtracting(list(others.1) + [target]) }
        let named = list(Substring(words)).map { "Bothy" + $0 }
        guard names.isSuperset(of: named) else { throw Unreadable(line: words) }
        return Set(named)
    }

    private static func list(_ words: Substring) -> [String] {
        words.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
