/// The names that people give: few, so that they meet, and some that not every disk can hold.
enum Names {
    static let all = [
        "a", "b", "c.txt", "d.txt", "e", "notes", "report.pdf", "A", "C.txt", "caf\u{E9}.txt", "cafe\u{301}.txt",
        "x:y", "end.",
    ]

    static func name(_ pick: Int) -> String { all[pick % all.count] }

    /// Picks one of what is there; nil where there is nothing.
    static func pick<Element>(_ pick: Int, of all: [Element]) -> Element? {
        all.isEmpty ? nil : all[pick % all.count]
    }
}
