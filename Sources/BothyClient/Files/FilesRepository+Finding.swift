import BothyContract

/// What a search came to, in the wire's words.
public struct FoundFiles: Equatable, Sendable {
    public var answer: SearchResponse
    /// Whether texts were searched, and not names alone.
    public var texts: SearchFindings.Texts

    public init(answer: SearchResponse, texts: SearchFindings.Texts) {
        self.answer = answer
        self.texts = texts
    }
}

/// Looking for files by words.
extension FilesRepository {
    /// By the beginnings of words in names and in texts, the likeliest first; without a connection in the names that are known
    /// here.
    ///
    /// - Parameters:
    ///   - text: 1 to `SearchResponse.maximumQueryBytes` bytes.
    ///   - limit: 1 to `SearchResponse.maximumLimit`.
    public func find(_ text: String, limit: Int) async throws -> FoundFiles {
        try await look { _ in
            FoundFiles(answer: try await search.find(text, limit: limit), texts: .searched)
        } here: {
            // A server that has just not answered is not asked once more.
            let findings = try await DeviceSearch(replica, remote: search)
                .find(text, limit: limit, reach: isOffline ? .here : .everywhere)
            let results = try await replica.results(of: findings.items)
            return FoundFiles(
                answer: SearchResponse(results: results, isComplete: findings.isComplete), texts: findings.texts)
        }
    }
}

extension ReplicaEngine {
    /// What was found here, as the server would tell of it.
    fileprivate func results(of items: [FoundItem]) async throws -> [SearchResponse.Result] {
        try await read { view in
            try items.compactMap { found in
                guard let file = try view.file(found.id.luid()), let path = try view.path(of: file.luid) else {
                    return nil
                }
                var result = SearchResponse.Result(
                    file: try view.wireFile(file), path: path.text,
                    excerpt: found.excerpt.isEmpty ? nil : found.excerpt)
                result.match = found.match
                return result
            }
        }
    }
}
