/// Short names for long ids, as `history` and `transfers` show and take them.
///
/// Ids begin with the time they were made at, so that neighbours share their beginnings; their ends differ.
enum ShortId {
    /// Hex digits that are shown at least.
    static let length = 6

    /// The end of an id, as long as it must be to tell it from all others of the list.
    static func of(_ id: String, among ids: [String]) -> String {
        let digits = plain(id)
        let others = ids.filter { $0 != id }.map(plain)
        var length = min(Self.length, digits.count)
        while length < digits.count, others.contains(where: { $0.hasSuffix(digits.suffix(length)) }) { length += 1 }
        return String(digits.suffix(length))
    }

    enum Match: Equatable, Sendable {
        case one(Int)
        case none
        case several
    }

    /// Which of the ids a person means: a whole one, or the beginning or end of one, at least four digits of it.
    static func find(_ typed: String, in ids: [String]) -> Match {
        if let whole = ids.firstIndex(of: typed) { return .one(whole) }
        let digits = plain(typed.lowercased())
        guard digits.count >= 4 else { return .none }
        let ends = ids.indices.filter { plain(ids[$0]).hasSuffix(digits) }
        let found = ends.isEmpty ? ids.indices.filter { plain(ids[$0]).hasPrefix(digits) } : ends
        return found.isEmpty ? .none : found.count == 1 ? .one(found[0]) : .several
    }

    private static func plain(_ id: String) -> String { id.filter { $0 != "-" } }
}
