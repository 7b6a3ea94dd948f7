import FolderConformance
import Testing

@Suite struct HostedDraftsTests {
    @Test func theServersOwnDraftsAreWhatADevicesAre() async throws {
        let world = try await HostedWorld.open()
        let account = world.account
        try await DraftsConformance(account.drafts, account.drafts, posts: account.posts).run()
        try await world.close()
    }
}
