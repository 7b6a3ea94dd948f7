/// The answer to `GET /v1/search`.
public struct SearchResponse: Codable, Equatable, Sendable {
    public struct Result: Codable, Equatable, Sendable {
        public var file: File
        /// Where it lies, from the root: `/docs/report.pdf`.
        public var path: String

        public init(file: File, path: String) {
            self.file = file
            self.path = path
        }
    }

    /// The likeliest first.
    public var results: [Result]
    /// Everything that there is to find is in `results`; else more words find the rest.
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
