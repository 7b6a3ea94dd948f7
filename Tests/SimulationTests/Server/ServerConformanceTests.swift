import BothyClient
import BothyContract
import DriveConformance
import Simulation
import Testing

/// The model is a drive like any other: what holds for our server holds for it.
@Suite struct ServerConformanceTests {
    @Test(arguments: DriveConformance.checks) func theModelDoesWhatEveryDriveDoes(_ check: ConformanceCheck)
        async throws
    {
        let (server, files) = (SimulatedServer(), MemoryFiles())
        func drive(_ device: String) -> SimulatedDrive {
            SimulatedDrive(server: server, device: device, files: files, meanwhile: files)
        }
        try await check.run(
            on: DriveUnderTest(
                drive: drive("kitchen"), other: drive("attic"),
                write: { name, bytes in
                    files.files[name] = bytes
                    return name
                },
                read: { try #require(files.files[$0]) }, place: { $0 }))
    }
}
