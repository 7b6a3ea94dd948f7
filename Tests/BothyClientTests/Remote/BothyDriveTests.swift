import BothyClient
import BothyContract
import DriveConformance
import RealServing
import Testing

/// Our own server behind `DriveProvider`.
@Suite struct BothyDriveTests {
    @Test(arguments: DriveConformance.checks)
    func conforms(_ check: ConformanceCheck) async throws {
        let server = try await RealServer()
        let folder = try TemporaryFolder()
        let kitchen = try await server.device("kitchen", register: true)
        let phone = try await server.device("phone", register: false)
        try await check.run(
            on: DriveUnderTest(
                drive: kitchen.drive, other: phone.drive,
                write: { try folder.write($0, $1) },
                read: { path in try folder.read(String(path.dropFirst(folder.path.count + 1))) },
                place: { folder.file($0) }))
        try await kitchen.close()
        try await phone.close()
        await server.stop()
    }

    @Test func anUploadWithoutAWayToTheServerSaysSoAndGoesOnUnderItsId() async throws {
        let server = try await RealServer()
        let folder = try TemporaryFolder()
        let home = try await server.device("kitchen", register: true)
        let path = try folder.write("a", [1, 2, 3])
        await server.stop()
        let upload = DriveUpload(requestId: "r1", localPath: path, name: "a", parentId: File.rootId)
        await #expect { try await home.drive.upload(upload) } throws: { ($0 as? ClientFailure)?.code == .offline }
        #expect(try await home.transfers.snapshot("r1").state == .paused(.stopped))
        try await home.close()
    }
}
