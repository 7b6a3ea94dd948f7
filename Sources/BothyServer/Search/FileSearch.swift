import BothyContract

/// Finding files and folders by the beginnings of words in their names and texts. Its time is bounded whatever a drive
/// holds: the term that is in the fewest is looked up, and the others are sought in what that finds.
package struct FileSearch: Sendable {
    /// Words of names that are looked at; a search that would want more says that it is not complete.
    package static let mostWords = 2000
    /// The same for texts, and for the files that have such a text: copies of one may be many.
    package static let mostInTexts = 1000
    /// Processor time in which it is looked whether what may answer does; a search that would want more says that it is not
    /// complete. Names of 255 bytes full of accents take a hundred times as long as others.
    package static let patience = Duration.milliseconds(50)

    package struct Found: Sendable {
        package var row: FileRow
        /// The names of the folders that it lies in, from the root's children down.
        package var above: [String]
        /// Nil where its name has every term.
        package var text: TextPlace?
    }

    /// Where a text has what was found.
    package struct TextPlace: Sendable {
        package var contentId: Int64
        /// UTF-8 bytes from the text's beginning.
        package var place: Int
    }

    package struct Outcome: Sendable {
        /// The likeliest first.
        package var found: [Found]
        package var isComplete: Bool
    }

    package let terms: [String]
    private let limit: Int
    /// Processor time of the thread that asks, from any moment on.
    private let time: @Sendable () -> Duration

    package init(
        _ text: String, limit: Int, time: @escaping @Sendable () -> Duration = { ThreadTime.spent() }
    ) {
        terms = NameWords.terms(of: text)
        self.limit = limit
        self.time = time
    }

    package func run(in db: any SQLConnection, drive: Int64) throws -> Outcome {
        let (names, texts) = (NameWordTable(db, drive: drive), TextTable(db, drive: drive))
        let counted = try terms.map { term in
            Counted(
                term: term, names: try names.count(beginningWith: term, most: Self.mostWords),
                texts: try texts.contents(beginningWith: term, most: Self.mostInTexts))
        }
        guard let rarest = counted.min(by: { $0.all < $1.all }) else { return Outcome(found: [], isComplete: true) }
        let isIndexed = try names.isIndexed() && TextQueue(db, drive: drive).isEmpty()
        if rarest.all == 0 { return Outcome(found: [], isComplete: isIndexed && rarest.isWhole) }
        var candidates = try names.nodes(beginningWith: rarest.term, most: Self.mostWords)
        let known = Set(candidates.map(\.id))
        let inTexts = try texts.nodes(having: rarest.texts.ids, most: Self.mostInTexts)
        candidates += inTexts.filter { !known.contains($0.id) }
        var ancestry = Ancestry(db, drive: drive)
        let revisions = RevisionTable(db, drive: drive)
        let began = time()
        var (live, looked) = ([Match](), 0)
        for row in candidates {
            if time() - began > Self.patience { break }
            looked += 1
            guard let match = try match(row, texts, revisions), try ancestry.standing(of: row.id) == .live else {
                continue
            }
            live.append(match)
        }
        let isWhole = rarest.isWhole && looked == candidates.count && inTexts.count < Self.mostInTexts
        let found = try live.sorted(by: precedes).prefix(limit).map { match in
            Found(row: match.row, above: try ancestry.names(above: match.row), text: match.text)
        }
        return Outcome(found: found, isComplete: isIndexed && isWhole && live.count <= limit)
    }

    /// How often a term is in names, and the contents that have it.
    private struct Counted {
        var term: String
        var names: Int
        var texts: (ids: [Int64], isWhole: Bool)

        var all: Int { names + texts.ids.count }
        var isWhole: Bool { names < FileSearch.mostWords && texts.isWhole }
    }

    private struct Match {
        var row: FileRow
        var rank: NameWords.Rank
        var text: TextPlace?
    }

    /// - Returns: nil where a term is neither in the name nor in the text.
    private func match(_ row: FileRow, _ texts: TextTable, _ revisions: RevisionTable) throws -> Match? {
        let rank = NameWords.rank(of: row.name, for: terms)
        let missing = NameWords.missing(terms, in: row.name)
        if missing.isEmpty { return Match(row: row, rank: rank, text: nil) }
        guard let head = row.headRevisionId, let contentId = try revisions.contentId(of: head) else { return nil }
        var place: Int?
        for term in missing {
            guard let next = try texts.place(of: term, in: contentId) else { return nil }
            place = place ?? next
        }
        return Match(row: row, rank: rank, text: place.map { TextPlace(contentId: contentId, place: $0) })
    }

    /// A name says more of a file than a word in its text.
    private func precedes(_ left: Match, _ right: Match) -> Bool {
        if (left.text == nil) != (right.text == nil) { return left.text == nil }
        if left.text == nil {
            if left.rank != right.rank { return left.rank < right.rank }
            if left.row.isFolder != right.row.isFolder { return left.row.isFolder }
        }
        if left.row.modifiedAt != right.row.modifiedAt { return left.row.modifiedAt > right.row.modifiedAt }
        return left.row.id < right.row.id
    }
}

extension Ancestry {
    /// The names of the folders that a file lies in, from the root's children down.
    package mutating func names(above row: FileRow) throws -> [String] {
        guard let parentId = row.parentId else { return [] }
        return try path(from: parentId).dropLast().reversed().map { try link($0)?.name ?? "" }
    }
}
