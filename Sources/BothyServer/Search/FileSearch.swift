import BothyContract

/// Finding files and folders by the beginnings of words in their names. Its time is bounded whatever a drive holds: the
/// term that fewest names have is looked up, and the others are sought in what that finds.
package struct FileSearch: Sendable {
    /// Words of the index that are looked at; a search that would want more says that it is not complete.
    package static let mostWords = 2000

    package struct Found: Sendable {
        package var row: FileRow
        /// The names of the folders that it lies in, from the root's children down.
        package var above: [String]
    }

    package struct Outcome: Sendable {
        /// The likeliest first.
        package var found: [Found]
        package var isComplete: Bool
    }

    private let terms: [String]
    private let limit: Int

    package init(_ text: String, limit: Int) {
        terms = NameWords.terms(of: text)
        self.limit = limit
    }

    package func run(in db: any SQLConnection, drive: Int64) throws -> Outcome {
        let words = NameWordTable(db, drive: drive)
        let counted = try terms.map { (term: $0, count: try words.count(beginningWith: $0, most: Self.mostWords)) }
        guard let rarest = counted.min(by: { $0.count < $1.count }) else {
            return Outcome(found: [], isComplete: true)
        }
        let isIndexed = try words.isIndexed()
        if rarest.count == 0 { return Outcome(found: [], isComplete: isIndexed) }
        let rows = try words.nodes(beginningWith: rarest.term, most: Self.mostWords)
            .filter { NameWords.matches(of: terms, in: $0.name) != nil }
        var ancestry = Ancestry(db, drive: drive)
        let live = try rows.filter { try ancestry.standing(of: $0.id) == .live }
        let found = try live.map { ($0, NameWords.rank(of: $0.name, for: terms)) }.sorted(by: precedes).prefix(limit)
            .map { row, _ in
                Found(row: row, above: try ancestry.names(above: row))
            }
        return Outcome(
            found: found, isComplete: isIndexed && rarest.count < Self.mostWords && live.count <= limit)
    }

    private func precedes(_ left: (FileRow, NameWords.Rank), _ right: (FileRow, NameWords.Rank)) -> Bool {
        if left.1 != right.1 { return left.1 < right.1 }
        if left.0.isFolder != right.0.isFolder { return left.0.isFolder }
        if left.0.modifiedAt != right.0.modifiedAt { return left.0.modifiedAt > right.0.modifiedAt }
        return left.0.id < right.0.id
    }
}

extension Ancestry {
    /// The names of the folders that a file lies in, from the root's children down.
    package mutating func names(above row: FileRow) throws -> [String] {
        guard let parentId = row.parentId else { return [] }
        return try path(from: parentId).dropLast().reversed().map { try link($0)?.name ?? "" }
    }
}
