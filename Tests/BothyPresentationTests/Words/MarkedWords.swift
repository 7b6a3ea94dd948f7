import BothyClient

@testable import BothyPresentation

extension Words {
    /// English, in letters of its own (U+FF21 ff.): whatever is shown in it that has a plain letter did not come from the
    /// catalogue. What is put into a text stays as it is.
    static let marked: Words = {
        let counted = english.counted
        func marking(_ say: @escaping @Sendable (Int) -> String) -> @Sendable (Int) -> String {
            { Marked.text(say($0)) }
        }
        func marking(_ say: @escaping @Sendable (String) -> String) -> @Sendable (String) -> String {
            { Marked.text(say("\u{1}")).replacing("\u{1}", with: $0) }
        }
        func marking(
            _ say: @escaping @Sendable (String, String) -> String
        ) -> @Sendable (String, String) -> String {
            { Marked.text(say("\u{1}", "\u{2}")).replacing("\u{1}", with: $0).replacing("\u{2}", with: $1) }
        }
        let used = marking { counted.used($0, $1) }
        return Words(
            language: "en-x-marked", phrases: english.phrases.mapValues(Marked.text),
            months: english.months.map(Marked.text), units: english.units.map(Marked.text),
            binaryUnits: english.binaryUnits.map(Marked.text),
            counted: Counted(
                number: counted.number, items: marking(counted.items), selected: marking(counted.selected),
                select: marking(counted.select),
                used: { size, limit in limit.map { used(size, $0) } ?? Marked.text("used") + size },
                made: marking(counted.made), trashed: marking(counted.trashed), moving: marking(counted.moving),
                copying: marking(counted.copying), moved: marking(counted.moved), copied: marking(counted.copied),
                broughtBack: marking(counted.broughtBack), deleted: marking(counted.deleted),
                deleteLead: marking(counted.deleteLead), deleteQuestion: marking(counted.deleteQuestion),
                days: marking(counted.days), seen: marking(counted.seen), signedOut: marking(counted.signedOut),
                putHere: marking(counted.putHere), version: marking(counted.version),
                unchanged: marking(counted.unchanged),
                date: { day, month, year in "\(day) \(month)" + (year.map { " \($0)" } ?? "") },
                failed: { (Marked.text("It failed: \($0.code)."), Marked.text("What to do about \($0.code).")) }),
            reasons: Reasons(
                deeds: english.reasons.deeds.mapValues(Marked.text),
                holds: english.reasons.holds.mapValues { (Marked.text($0.why), Marked.text($0.advice)) },
                unsynced: english.reasons.unsynced.mapValues { (Marked.text($0.why), Marked.text($0.advice)) }))
    }()
}

enum Marked {
    /// Each plain letter as its wide one.
    static func text(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { isPlain($0) ? Unicode.Scalar($0.value + 0xFEE0) ?? $0 : $0 }))
    }

    private static func isPlain(_ letter: Unicode.Scalar) -> Bool { letter.isASCII && letter.properties.isAlphabetic }

    /// What a state shows in plain letters, with where in it.
    ///
    /// - Parameter state: of a screen. What names something to a program, as `id`, is not looked at.
    static func unmarked(in state: Any, at path: String = "") -> [String] {
        if state is any Destined { return [] }
        if let text = state as? String {
            return text.unicodeScalars.contains(where: isPlain) ? ["\(path): \(text)"] : []
        }
        return Mirror(reflecting: state).children.enumerated().flatMap { number, child -> [String] in
            let label = child.label ?? String(number)
            return unshown.contains(label) ? [] : unmarked(in: child.value, at: "\(path).\(label)")
        }
    }

    /// How many texts a state shows.
    static func count(in state: Any) -> Int {
        if state is any Destined { return 0 }
        if let text = state as? String { return text.isEmpty ? 0 : 1 }
        return Mirror(reflecting: state).children.reduce(0) {
            unshown.contains($1.label ?? "") ? $0 : $0 + count(in: $1.value)
        }
    }

    private static let unshown: Set = ["id", "seen", "plan", "wish", "saw", "session", "restore"]
}

/// What names a place to a program, and is not shown.
private protocol Destined {}
extension ItemID: Destined {}
extension Destination: Destined {}
