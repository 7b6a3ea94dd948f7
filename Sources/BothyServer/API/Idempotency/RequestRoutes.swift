import BothyContract
import Foundation
import Hummingbird

/// `/v1/requests/{requestId}`: for a client that never heard the answer to a request.
package struct RequestRoutes: APIRoutes {
    private let database: any Database
    private let stamps: StampSource

    package init(database: any Database, stamps: StampSource) {
        self.database = database
        self.stamps = stamps
    }

    package func add(to group: RouterGroup<APIContext>) {
        group.get("v1/requests/{requestId}", use: get)
        group.delete("v1/requests/{requestId}", use: withdraw)
    }

    @Sendable private func get(_ request: Request, _ context: APIContext) async throws -> Response {
        let (ending, id) = try ending(context)
        return try .json(await database.read { try ending.told(of: id, in: $0) })
    }

    @Sendable private func withdraw(_ request: Request, _ context: APIContext) async throws -> Response {
        let (ending, id) = try ending(context)
        return try .json(await database.write { try ending.withdraw(id, in: $0) })
    }

    private func ending(_ context: APIContext) throws -> (RequestEnding, String) {
        let caller = try context.requireCaller()
        let id = context.parameters.get("requestId")?.removingPercentEncoding ?? ""
        return (RequestEnding(stamp: stamps.stamp(for: caller)), try RequestIdentity.checked(id))
    }
}
