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

    /// What the answers tell of many small files is all that there is to tell: the log need not be asked.
    @Test func filesThatWereSentTogetherAreToldByTheAnswerToThem() async throws {
        let server = try await RealServer()
        let folder = try TemporaryFolder()
        let home = try await server.device("kitchen", register: true)
        _ = try await home.drive.createFolder(named: "a", in: File.rootId, requestId: "r1")
        let start = try await home.drive.cursor()
        let uploads = try (0..<9).map { number in
            let name = "n\(number)"
            return DriveUpload(
                requestId: name, localPath: try folder.write(name, [UInt8(number)]), name: name, parentId: File.rootId)
        }
        let sent = try await home.drive.upload(uploads).map { try $0.get() }
        for page in [
            await home.drive.beginningOfOwnChanges(after: start), await home.drive.ownChanges(after: start),
        ] {
            let changes = try #require(page?.changes)
            #expect(Set(changes.map(\.id)) == Set(sent.map(\.id)))
            #expect(page?.cursor == (try await home.drive.cursor()))
        }
        try await home.close()
        await server.stop()
    }

    /// What an edit made has to be asked for, beside the others, and each is told as what it is; so is one among them that fails.
    @Test func editsThatWereSentTogetherAreEachToldAsTheFileThatTheyAre() async throws {
        let server = try await RealServer()
        let folder = try TemporaryFolder()
        let home = try await server.device("kitchen", register: true)
        func upload(_ number: Int, _ content: [UInt8], over old: File? = nil) throws -> DriveUpload {
            let (name, isStale) = ("n\(number)", number == 4 && old != nil)
            return DriveUpload(
                requestId: old == nil ? name : "edit-\(name)", localPath: try folder.write(name, content), name: name,
                parentId: File.rootId, fileId: old?.id, baseRevisionId: isStale ? "another" : old?.headRevisionId)
        }
        let old = try await home.drive.upload((0..<9).map { try upload($0, [UInt8($0)]) }).map { try $0.get() }
        let edits = try old.enumerated().map { try upload($0, [UInt8($0), 7], over: $1) }
        for (number, result) in await home.drive.upload(edits).enumerated() {
            guard number != 4 else {
                #expect(throws: ClientFailure.self) { try result.get() }
                continue
            }
            let file = try result.get()
            #expect(file.id == old[number].id && file.name == "n\(number)" && file.size == 2)
            #expect(file.headRevisionId != old[number].headRevisionId)
        }
        try await home.close()
        await server.stop()
    }

    /// While a device does much, its replica follows.
    @Test(.timeLimit(.minutes(10))) func whatWasSentIsInTheReplicaBeforeAnybodyAsksTheLog() async throws {
        let server = try await RealServer()
        let folder = try TemporaryFolder()
        let home = try await server.device("kitchen", register: true)
        _ = try await home.drive.createFolder(named: "a", in: File.rootId, requestId: "r1")
        try await home.replica.pull()
        let known = try await home.replica.state().cursor
        let uploads = try (0..<OwnChangesIntake.enough).map { number in
            let name = "n\(number)"
            return DriveUpload(
                requestId: name, localPath: try folder.write(name, [UInt8(number)]), name: name, parentId: File.rootId)
        }
        for sent in await home.drive.upload(uploads) { _ = try sent.get() }
        let sent = try await home.drive.cursor()
        #expect(sent != known)
        // It follows by itself once there is enough; what was answered after that began is taken in by whoever asks.
        while try await home.replica.state().cursor == known { await Task.yield() }
        if try await home.replica.state().cursor != sent { #expect(try await home.replica.takeOwnChanges()) }
        #expect(try await home.replica.state().cursor == sent)
        try await home.close()
        await server.stop()
    }
}
