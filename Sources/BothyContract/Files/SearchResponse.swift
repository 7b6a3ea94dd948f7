/// The answer to `GET /v1/search`.
public struct SearchResponse: Codable, Equatable, Sendable {
    /// What of a file answers to the words.
    public enum Match: String, Codable, CaseIterable, Sendable {
        /// Its name has every word.
        case name
        /// Its text has those that its name does not.
        case text
    }

    /// A stretch of an excerpt.
    public struct Stretch: Codable, Equatable, Sendable {
        public var text: String
        /// It is what was searched for.
        public var isFound: Bool

        public init(_ text: String, isFound: Bool) {
            self.text = text
            self.isFound = isFound
        }
    }

    public struct Result: Codable, Equatable, Sendable {
        public var file: File
        /// Where it lies, from the root: `/docs/report.pdf`.
        public var path: String
        public var match: OpenWord<Match>
        /// Of the text around what was found, stretch by stretch; nil where the name answers, or the text was not read.
        public var excerpt: [Stretch]?

        public init(file: File, path: String, match: Match = .name, excerpt: [Stretch]? = nil) {
            self.file = file
            self.path = path
            self.match = OpenWord(match)
            self.excerpt = excerpt
        }
    }

    /// The likeliest first.
    public var results: [Result]
    /// Everything that there is to find is in `results`; else more words find the rest, or, where files came just now, a
    /// moment does.
    public var isComplete: Bool

    public init(results: [Result], isComplete: Bool) {
        self.results = results
        self.isComplete = isComplete
    }

    /// Results of one answer, where the request does not say.
    public static let defaultLimit = 50
    public static let maximumLimit = 200
    /// Bytes of what is searched for.
    public static let maximumQueryBytes = 512
}
