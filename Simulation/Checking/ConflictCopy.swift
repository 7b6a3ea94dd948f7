import BothyContract

/// Conflict copies as people know them: by their names.
enum ConflictCopy {
    /// What it is a copy of: `a (kitchen's conflict 2026-11-20).txt` → `a.txt`, where that was a copy itself, too; nil for what is
    /// no conflict copy.
    static func original(of name: String) -> String? {
        name.droppingLastParenthesis { Array($0).firstRange(of: mark) != nil }
    }

    private static let mark = Array("'s conflict ".utf8)
}

extension String {
    /// - Returns: the name without the last ` (…)` that is meant; nil where there is none. What is in it is in no other, and in
    ///   one part of a path.
    func droppingLastParenthesis(where isMeant: (Substring.UTF8View) -> Bool) -> String? {
        var rest = utf8[...]
        while let close = rest.lastIndex(of: UInt8(ascii: ")")) {
            rest = rest[..<close]
            let open = rest.lastIndex { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: ")") || $0 == UInt8(ascii: "/") }
            guard let open, rest[open] == UInt8(ascii: "("), open > startIndex else { continue }
            let space = utf8.index(before: open)
            guard utf8[space] == UInt8(ascii: " "), isMeant(self[open..<close].utf8) else { continue }
            return String(self[..<space]) + self[utf8.index(after: close)...]
        }
        return nil
    }
}
