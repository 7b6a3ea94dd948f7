import BothyClient
import BothyContract
import BothyServer

/// What has a star, straight from the server's database.
struct HostedStarred: StarredRepository {
    private let services: ServerServices
    private let caller: Caller

    init(_ services: ServerServices, _ caller: Caller) {
        self.services = services
        self.caller = caller
    }

    func page(after place: String?, limit: Int) async throws -> StarredPage {
        let drive = caller.driveId
        return try await failing {
            let listing = StarredListing(
                limit: limit, after: try PageCursor.read(StarredListing.Position.self, from: place))
            return try await services.database.read { db in
                let page = try listing.page(in: db, drive: drive)
                var ancestry = Ancestry(db, drive: drive)
                let items = try page.rows.map { row in
                    FoundItem(
                        item: FolderItem(row), folder: ItemID(row.parentId ?? File.rootId),
                        above: try ancestry.names(above: row))
                }
                return StarredPage(items: items, next: try page.next.map { try PageCursor.text($0) })
            }
        }
    }
}
