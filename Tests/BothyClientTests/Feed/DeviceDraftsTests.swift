import BothyClient
import BothyContract
import FolderConformance
import RealServing
import Testing

@Suite struct DeviceDraftsTests {
    @Test func aDevicesDraftsAreWhatTheServersAre() async throws {
        let server = try await RealServer()
        let ann = try await server.device("ann", register: true, email: "ann@example.org")
        try await DraftsConformance(ann.drafts, ann.drafts, posts: ann.posts).run()
        await server.stop()
        await #expect(throws: ClientFailure.self) { try await ann.drafts.all() }
        try await ann.close()
    }
}
