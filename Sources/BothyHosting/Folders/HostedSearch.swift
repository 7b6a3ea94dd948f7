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

    func find(_ text: String, limit: Int) async throws -> SearchFindings {
        let (search, drive) = (FileSearch(text, limit: limit), caller.driveId)
        return try await failing {
            let outcome = try await services.database.read { try search.run(in: $0, drive: drive) }
            let items = outcome.found.map { found in
                FoundItem(
                    item: FolderItem(found.row), folder: ItemID(found.row.parentId ?? File.rootId),
                    above: found.above)
            }
            return SearchFindings(items: items, isComplete: outcome.isComplete)
        }
    }
}
