import BothyContract
import Hummingbird

/// `GET /v1/about`: who is signed in, the quota, and what the server asks its clients to keep to.
package struct AboutRoutes: APIRoutes {
    private let accounts: Accounts
    private let hasFeed: Bool

    package init(accounts: Accounts, hasFeed: Bool) {
        self.accounts = accounts
        self.hasFeed = hasFeed
    }

    package func add(to group: RouterGroup<APIContext>) {
        group.get("v1/about") { _, context -> Response in
            let caller = try context.requireCaller()
            let (user, quota, parameters) = try await accounts.about(caller)
            return try Response.json(
                AboutResponse(
                    user: user, quota: quota,
                    limits: .init(
                        chunkSize: UploadLimits.defaultChunkSize, maxFileSize: UploadLimits.maximumFileSize,
                        simpleUploadLimit: UploadLimits.simpleUploadLimit),
                    settings: .init(feed: hasFeed), blockParameters: parameters))
        }
    }
}
