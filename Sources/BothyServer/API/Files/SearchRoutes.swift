import BothyContract
import Hummingbird

/// `GET /v1/search`: files and folders by words of their names and texts.
package struct SearchRoutes: APIRoutes {
    private let search: DriveSearch
    private let links: DownloadLinks

    package init(search: DriveSearch, links: DownloadLinks) {
        self.search = search
        self.links = links
    }

    package func add(to group: RouterGroup<APIContext>) { group.get("v1/search", use: find) }

    @Sendable private func find(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        guard let text = request.query(QueryNames.searchText),
            (1...SearchResponse.maximumQueryBytes).contains(text.utf8.count)
        else {
            throw Problem(
                .invalidParameter,
                "“q” should be words to search for, at most \(SearchResponse.maximumQueryBytes) bytes.")
        }
        let limit =
            try request.number(QueryNames.limit, in: 1...SearchResponse.maximumLimit) ?? SearchResponse.defaultLimit
        let outcome = try await search.find(text, limit: limit, drive: caller.driveId)
        let results = outcome.results.map { result in
            let (row, above) = (result.found.row, result.found.above)
            return SearchResponse.Result(
                file: links.filled(row.file(trashed: false), for: caller),
                path: "/" + (above + [row.name]).joined(separator: "/"), match: result.match,
                excerpt: result.excerpt)
        }
        return try .json(SearchResponse(results: results, isComplete: outcome.isComplete))
    }
}
