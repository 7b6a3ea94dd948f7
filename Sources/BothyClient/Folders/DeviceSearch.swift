import BothyContract

/// Searching on a device: names at once, from what it knows itself; texts by the server, where there is a connection.
struct DeviceSearch: FileSearching {
    private let replica: ReplicaEngine
    private let remote: SearchRemoteSource

    init(_ replica: ReplicaEngine, remote: SearchRemoteSource) {
        self.replica = replica
        self.remote = remote
    }

    func find(_ text: String, limit: Int, reach: SearchReach) async throws -> SearchFindings {
        let terms = NameWords.terms(of: text)
        guard !terms.isEmpty else { return SearchFindings(items: [], isComplete: true, texts: .searched) }
        let (items, isComplete) = try await replica.named(terms, limit: limit)
        let findings = SearchFindings(items: items, isComplete: isComplete, texts: .unasked)
        switch reach {
        case .here: return findings
        case .everywhere: return try await joined(findings, text, terms, limit)
        }
    }

    /// The server's answer beside what is known here; where it does not answer, what is known here.
    private func joined(
        _ here: SearchFindings, _ text: String, _ terms: [String], _ limit: Int
    ) async throws -> SearchFindings {
        var findings = here
        do {
            let cursor = try await replica.state().cursor
            let answer = try await remote.find(text, limit: limit)
            let found = try await replica.found(answer.results, for: terms, asOf: cursor)
            findings.join(found.items, isComplete: answer.isComplete && found.isWhole, limit: limit)
        } catch let failure as ClientFailure {
            findings.texts = .unanswered(failure)
        }
        return findings
    }
}

extension SearchFindings {
    /// Adds what the server has found: its names, and then its texts, after those that are known here.
    ///
    /// - Parameter isComplete: the server has told of all that it has.
    package mutating func join(_ others: [FoundItem], isComplete: Bool, limit: Int) {
        let known = Set(items.map(\.id))
        let all = items + others.filter { !known.contains($0.id) }
        items = Array(all.prefix(limit))
        self.isComplete = isComplete && all.count <= limit
        texts = .searched
    }
}
