extension Words {
    public static let english = Words(
        language: "en",
        phrases: English.all,
        months: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
        units: ["B", "kB", "MB", "GB", "TB", "PB"],
        binaryUnits: ["B", "KiB", "MiB", "GiB", "TiB"],
        counted: Counted(
            number: { grouped($0) },
            items: { $0 == 1 ? "1 item" : "\(grouped($0)) items" },
            selected: { "\(grouped($0)) selected" },
            select: { "Select \($0)" },
            used: { used, limit in limit.map { "\(used) of \($0) used" } ?? "\(used) used" },
            made: { "“\($0)” was uploaded." },
            trashed: { "\(things($0)) moved to the trash." },
            moving: { $0 == 1 ? "Move 1 item" : "Move \(grouped($0)) items" },
            copying: { $0 == 1 ? "Copy 1 item" : "Copy \(grouped($0)) items" },
            moved: { "\(things($0)) moved." },
            copied: { "\(things($0)) copied." },
            broughtBack: { "\(things($0)) restored." },
            deleted: { "\(things($0)) deleted for good." },
            deleteLead: {
                $0 == 1
                    ? "With every version of it. This cannot be undone."
                    : "With every version of them. This cannot be undone."
            },
            deleteQuestion: { $0 == 1 ? "Delete 1 item for good?" : "Delete \(grouped($0)) items for good?" },
            days: { $0 < 1 ? "within a day" : $0 == 1 ? "in 1 day" : "in \(grouped($0)) days" },
            seen: { "\($0), seen \($1)" },
            signedOut: { $0 == 1 ? "1 device was signed out." : "\(grouped($0)) devices were signed out." },
            putHere: { "put here \($0), goes \($1)" },
            version: { "\($0), from \($1)" },
            unchanged: { $0 == 1 ? "1 line is the same" : "\(grouped($0)) lines are the same" },
            date: { day, month, year in year.map { "\(day) \(month) \($0)" } ?? "\(day) \(month)" },
            failed: English.failed),
        reasons: English.reasons)

    private static func things(_ count: Int) -> String { count == 1 ? "1 item was" : "\(grouped(count)) items were" }

    /// «12,345».
    private static func grouped(_ number: Int) -> String {
        var text = String(number)
        var place = text.endIndex
        while let next = text.index(place, offsetBy: -3, limitedBy: text.startIndex), next > text.startIndex {
            text.insert(",", at: next)
            place = next
        }
        return text
    }
}

/// The catalogue in English, a part for what belongs together. A phrase that stands in two parts, or in none, builds no
/// catalogue.
enum English {
    static let all: [Phrase: String] = [
        files, uploads, finding, feed, writing, drafts, scheduled, postTrash, notifications, settings, device, keeping,
        folders,
    ]
    .reduce(into: [:]) { all, part in
        all.merge(part) { first, _ in preconditionFailure("“\(first)” is said twice") }
    }
}
