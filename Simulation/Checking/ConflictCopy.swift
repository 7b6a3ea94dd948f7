import BothyContract

/// Conflict copies as people know them: by their names.
enum ConflictCopy {
    /// What it is a copy of: `a (kitchen's conflict 2026-11-20).txt` → `a.txt`, where that was a copy itself, too. One with a number
    /// was made beside the one without: `a (kitchen's conflict 2026-11-20) (1).txt` → `a (kitchen's conflict 2026-11-20).txt`. Nil
    /// for what is no conflict copy.
    static func original(of name: String) -> String? {
        guard Array(name.utf8).firstRange(of: mark) != nil else { return nil }
        return name.droppingLastParenthesis { $0.isParenthesizedNumber || Array($0).firstRange(of: mark) != nil }
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

extension Substring.UTF8View {
    /// Whether it is `(` and a number, as stands in the name of what is kept beside another.
    var isParenthesizedNumber: Bool {
        let digits = dropFirst()
        return !digits.isEmpty && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}
