import BothyContract
import Hummingbird

/// `GET /v1/search`: files and folders by words of their names.
package struct SearchRoutes: APIRoutes {
    private let database: any Database
    private let links: DownloadLinks

    package init(database: any Database, links: DownloadLinks) {
        self.database = database
        self.links = links
    }

    package func add(to group: RouterGroup<APIContext>) { group.get("v1/search", use: search) }

    @Sendable private func search(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        guard let text = request.query("q"), (1...SearchResponse.maximumQueryBytes).contains(text.utf8.count) else {
            throw Problem(
                .invalidParameter,
                "“q” should be words to search for, at most \(SearchResponse.maximumQueryBytes) bytes.")
        }
        let limit = try request.number("limit", in: 1...SearchResponse.maximumLimit) ?? SearchResponse.defaultLimit
        let search = FileSearch(text, limit: limit)
        let outcome = try await database.read { try search.run(in: $0, drive: caller.driveId) }
        let results = outcome.found.map { found in
            SearchResponse.Result(
                file: links.filled(found.row.file(trashed: false), driveId: caller.driveId),
                path: "/" + (found.above + [found.row.name]).joined(separator: "/"))
        }
        return try .json(SearchResponse(results: results, isComplete: outcome.isComplete))
    }
}
