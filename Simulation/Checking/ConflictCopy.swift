import BothyContract

/// Conflict copies as people know them: by their names.
enum ConflictCopy {
    /// What it is a copy of: `a (kitchen's conflict 2026-11-20).txt` → `a.txt`, where that was a copy itself, too; nil for what is
    /// no conflict copy.
    static func original(of name: String) -> String? {
        let mark = #/ \([^()\/]*'s conflict [^()\/]*\)/#
        guard name.contains("'s conflict ") else { return nil }
        guard let last = name.matches(of: mark).last else { return nil }
        var original = name
        original.removeSubrange(last.range)
        return original
    }
}
