import ArgumentParser
import BothyClient
import BothyContract

/// `bothy find`
struct FindCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find", abstract: "Search files and folders on the server.",
        discussion: """
            Words or their beginnings are searched in names and texts: “tax 20” finds “Taxes 2024.pdf”. All words must \
            match. Hidden files and those in the trash are not found.
            """)

    @Argument(help: "The words to search for.")
    var words: [String]

    @Option(name: [.customShort("n"), .long], help: "The maximum number of results, 1 to 200.")
    var limit = SearchResponse.defaultLimit

    @OptionGroup var output: OutputOptions

    private var text: String { words.joined(separator: " ") }

    func validate() throws {
        guard !NameWords.terms(of: text).isEmpty else {
            throw ValidationError("“\(text)” has no letter or digit to search for.")
        }
        guard text.utf8.count <= SearchResponse.maximumQueryBytes else {
            throw ValidationError("This is too long to search for. Use a few words.")
        }
        guard (1...SearchResponse.maximumLimit).contains(limit) else {
            throw ValidationError("“--limit” should be 1 to \(SearchResponse.maximumLimit).")
        }
    }

    func run() async throws {
        try await Home.using(ending: OfflineEnding(output: output)) { home in
            let found = try await home.files.find(text, limit: limit)
            for result in found.answer.results { try show(result) }
            tellWhatLacks(found)
        }
    }

    private func show(_ result: SearchResponse.Result) throws {
        if output.json { return try output.print(FoundDocument(result)) }
        output.print(line: result.file.isFolder ? result.path + "/" : result.path)
        guard let excerpt = result.excerpt else { return }
        output.print(line: "  " + excerpt.map(\.text).joined())
    }

    private func tellWhatLacks(_ found: FoundFiles) {
        let isEmpty = found.answer.results.isEmpty
        switch found.texts {
        case .unasked: output.note(namesOnly(isEmpty) + "only the server searches texts, and it does not answer.")
        case .unanswered(let failure):
            output.note(namesOnly(isEmpty) + "only the server searches texts. \(failure.words)")
        case .searched where !found.answer.isComplete:
            output.note(
                isEmpty
                    ? "Nothing was found yet: new files are still being indexed."
                    : "There may be more results. Add a word, or try again in a moment.")
        case .searched: if isEmpty { output.note("Nothing was found.") }
        }
    }

    private func namesOnly(_ isEmpty: Bool) -> String {
        "Only the names that this device knows were searched\(isEmpty ? ", and none has that" : ""); "
    }
}

/// What `bothy find --json` prints of each thing that it finds.
struct FoundDocument: Encodable {
    private var file: FileDocument
    /// What answers to the words.
    private var match: OpenWord<SearchResponse.Match>
    /// Of the text around what was found.
    private var excerpt: [SearchResponse.Stretch]?

    init(_ result: SearchResponse.Result) {
        file = FileDocument(result.file, path: result.path)
        match = result.match
        excerpt = result.excerpt
    }

    private enum Keys: String, CodingKey {
        case match, excerpt
    }

    func encode(to encoder: any Encoder) throws {
        try file.encode(to: encoder)
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(match, forKey: .match)
        try container.encodeIfPresent(excerpt, forKey: .excerpt)
    }
}
