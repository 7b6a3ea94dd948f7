import BothyContract
import Hummingbird

/// `GET /v1/storage`: what takes room, counted row by row beside everybody's requests.
package struct StorageRoutes: APIRoutes {
    private let database: any Database

    package init(database: any Database) { self.database = database }

    package func add(to group: RouterGroup<APIContext>) {
        group.get("v1/storage") { _, context -> Response in
            let caller = try context.requireCaller()
            let inventory = try await DriveInventory.taken(of: caller.driveId, largest: 0, in: database)
            return try .json(
                StorageResponse(
                    files: inventory.files.mapValues { StorageResponse.Part($0) }, trash: .init(inventory.trash),
                    versions: .init(inventory.versions), posts: .init(inventory.posts)))
        }
    }
}

extension StorageResponse.Part {
    fileprivate init(_ part: DriveInventory.Part) { self.init(count: part.count, bytes: part.bytes) }
}
