import BothyClient
import BothyContract
import BothyServer

/// Searching an account's files, straight in the server's database.
struct HostedSearch: FileSearching {
    private let services: ServerServices
    private let caller: Caller

    init(_ services: ServerServices, _ caller: Caller) {
        self.services = services
        self.caller = caller
    }

    func find(_ text: String, limit: Int, reach: SearchReach) async throws -> SearchFindings {
        let drive = caller.driveId
        return try await failing {
            let outcome = try await services.search.find(text, limit: limit, drive: drive)
            let items = outcome.results.map { result in
                let row = result.found.row
                return FoundItem(
                    item: FolderItem(row), folder: ItemID(row.parentId ?? File.rootId), above: result.found.above,
                    match: result.match, excerpt: result.excerpt ?? [])
            }
            return SearchFindings(items: items, isComplete: outcome.isComplete, texts: .searched)
        }
    }
}
