import BothyClient
import DriveConformance
import Testing

/// The drive in memory that other tests stand on is a drive.
@Suite struct PaperDriveTests {
    @Test(arguments: DriveConformance.checks)
    func conforms(_ check: ConformanceCheck) async throws {
        let folder = try TemporaryFolder()
        let drive = PaperDrive()
        try await check.run(
            on: DriveUnderTest(
                drive: drive.from("kitchen"), other: drive.from("phone"), write: { try folder.write($0, $1) },
                read: { path in try folder.read(String(path.dropFirst(folder.path.count + 1))) },
                place: { folder.file($0) }))
    }
}
