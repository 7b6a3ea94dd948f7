import BothyContract

/// Searching one drive, with a few words around what is found in a text.
package struct DriveSearch: Sendable {
    /// Bytes of texts that one search reads for its excerpts; what is found beyond is told without.
    private static let mostRead = 4 << 20

    package struct Result: Sendable {
        package var found: FileSearch.Found
        /// Nil where the name answers, and where the text was not read.
        package var excerpt: [SearchResponse.Stretch]?

        package var match: SearchResponse.Match { found.text == nil ? .name : .text }
    }

    package struct Outcome: Sendable {
        /// The likeliest first.
        package var results: [Result]
        package var isComplete: Bool
    }

    private let database: any Database
    private let reader: ContentReader

    package init(database: any Database, packs: any PackStore) {
        self.database = database
        reader = ContentReader(database: database, packs: packs)
    }

    package func find(_ text: String, limit: Int, drive: Int64) async throws -> Outcome {
        let search = FileSearch(text, limit: limit)
        let outcome = try await database.read { try search.run(in: $0, drive: drive) }
        var results = [Result]()
        var left = Self.mostRead
        for found in outcome.found {
            var result = Result(found: found)
            if let text = found.text, case let size = Self.read(of: found.row, for: text), size <= left {
                left -= size
                result.excerpt = try await excerpt(of: found.row, text, search.terms, drive)
            }
            results.append(result)
        }
        return Outcome(results: results, isComplete: outcome.isComplete)
    }

    /// Bytes of a text that are read to show what stands at a place of it: up to there, where each sign may take two bytes and
    /// more than an excerpt.
    private static func read(of row: FileRow, for text: FileSearch.TextPlace) -> Int {
        min(NameWords.longestText, Int(clamping: row.size), 2 * text.place + 4096)
    }

    private func excerpt(
        of row: FileRow, _ text: FileSearch.TextPlace, _ terms: [String], _ drive: Int64
    ) async throws -> [SearchResponse.Stretch]? {
        guard let checksum = row.checksum else { return nil }
        let content = StoredContent(
            driveId: drive, contentId: text.contentId, name: row.name, mimeType: row.mimeType, size: row.size,
            checksum: checksum)
        do {
            let bytes = try await reader.beginning(of: content, most: Self.read(of: row, for: text))
            return ReadText.of(bytes).flatMap { TextExcerpt.of($0, at: text.place, marking: terms) }
        } catch is PackError {
            // The file is found all the same; opening it tells what is wrong with it.
            return nil
        } catch let problem as Problem where problem.code == .notFound {
            return nil
        }
    }
}
