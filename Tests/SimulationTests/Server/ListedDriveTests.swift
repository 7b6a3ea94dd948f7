import BothyClient
import BothyContract
import Simulation
import Testing

/// A drive that is known by its log alone.
@Suite struct ListedDriveTests {
    /// The log tells the folder alone. What had lain in it counted as trashed for ever, and was asked back of the server again and again.
    @Test func whatLayInAFolderThatIsGoneForGoodIsNotInTheTrash() async throws {
        let files = MemoryFiles()
        let drive = SimulatedDrive(server: SimulatedServer(), device: "kitchen", files: files, meanwhile: files)
        let folder = try await drive.createFolder(named: "a", in: File.rootId, requestId: "r1")
        let below = try await drive.createFolder(named: "b", in: folder.id, requestId: "r2")
        let listed = ListedDrive(drive)
        _ = try await drive.trash(folder.id, seen: .anything, requestId: "r3")
        _ = try await listed.pull()
        #expect(Set(try await listed.trashed().map(\.id)) == [folder.id, below.id])
        try await drive.deletePermanently(folder.id, seen: .anything, requestId: "r4")
        _ = try await listed.pull()
        #expect(try await listed.trashed().isEmpty)
    }
}
