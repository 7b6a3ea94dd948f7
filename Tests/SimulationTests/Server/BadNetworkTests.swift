import BothyClient
import BothyContract
import Simulation
import Testing

/// What a bad network does, one fault at a time.
@Suite struct BadNetworkTests {
    private let server = SimulatedServer()
    private let files = MemoryFiles()

    private func drive(_ faults: NetworkFaults) -> SimulatedDrive {
        let drive = SimulatedDrive(server: server, device: "kitchen", files: files, meanwhile: files)
        drive.faults = faults
        return drive
    }

    private func make(_ drive: SimulatedDrive, _ name: String, _ request: String) async -> File? {
        try? await drive.createFolder(named: name, in: File.rootId, requestId: request)
    }

    @Test func whatIsDroppedNeverHappened() async {
        #expect(await make(drive(NetworkFaults(dropped: 100)), "a", "r1") == nil)
        #expect(server.model.livePaths.isEmpty)
    }

    @Test func whatIsCutHappenedUnheardAndIsToldAgain() async {
        #expect(await make(drive(NetworkFaults(cut: 100)), "a", "r1") == nil)
        #expect(server.model.livePaths.keys.sorted() == ["/a/"])
        let again = await make(drive(.none), "a", "r1")
        #expect(again?.requestId == "r1" && server.model.livePaths.count == 1)
    }

    @Test func whatIsRepeatedActsOnce() async {
        #expect(await make(drive(NetworkFaults(repeated: 100)), "a", "r1")?.name == "a")
        #expect(server.model.livePaths.count == 1)
    }

    @Test func whatIsLateArrivesBehindWhatCameAfterIt() async {
        #expect(await make(drive(NetworkFaults(late: 100)), "a", "r1") == nil)
        #expect(await make(drive(.none), "a", "r2")?.name == "a")
        server.deliverWhatWaits()
        #expect(server.model.livePaths.count == 1, "the late one found the name taken")
    }

    @Test func whatIsGarbledIsNeverPromoted() async throws {
        files.files["here"] = [1, 2, 3]
        let file = try await drive(.none).upload(
            DriveUpload(requestId: "r1", localPath: "here", name: "a", parentId: File.rootId))
        await #expect(throws: ClientFailure.self) {
            try await drive(NetworkFaults(garbled: 100)).download(
                DriveDownload(fileId: file.id, name: "a", destination: "there"))
        }
        #expect(files.files["there"] == nil)
    }
}
