import BothyContract

/// Conflict copies as people know them: by their names.
enum ConflictCopy {
    /// `a (kitchen's conflict 2026-11-20).txt` → `a.txt`; nil for what is no conflict copy.
    static func original(of name: String) -> String? {
        let mark = #/ \([^()\/]*'s conflict [^()\/]*\)/#
        guard name.contains("'s conflict ") else { return nil }
        let original = name.replacing(mark, with: "")
        return original == name ? nil : original
    }
}
