import BothyClient
import BothyContract
import Foundation
import RealServing
import Testing

/// The client and the server, from one device to another.
@Suite struct DriveFlowTests {
    private func content(_ size: Int, seed: UInt64) -> [UInt8] {
        var random = SeededRandom(seed)
        return random.bytes(size)
    }

    private func put(_ path: String, as name: String, on home: DeviceHome, in parent: String = File.rootId) async throws
        -> TransferSnapshot?
    {
        let ids = try await home.transfers.upload([UploadOrder(localPath: path, name: name, parentId: parent)])
        return await last(ids[0], on: home)
    }

    private func last(_ id: String, on home: DeviceHome) async -> TransferSnapshot? {
        var last: TransferSnapshot?
        for await snapshot in await home.transfers.observe([id]) { last = snapshot }
        return last
    }

    @Test func whatOneDevicePutsAnotherGetsWithEveryVersion() async throws {
        let server = try await RealServer()
        let folder = try TemporaryFolder()
        let kitchen = try await server.device("kitchen", register: true)
        let phone = try await server.device("phone", register: false)
        #expect(try await phone.account.devices().count == 2)

        let docs = try await kitchen.files.makeFolders(at: RemotePath("/docs/2026"))
        let versions = [content(9 << 20, seed: 1), content(3000, seed: 2)]
        for version in versions {
            let path = try folder.write("report", version)
            #expect(try await put(path, as: "report.pdf", on: kitchen, in: docs.id)?.state == .completed)
        }

        let file = try await phone.files.file(at: RemotePath("/docs/2026/report.pdf"))
        #expect(file.size == 3000)
        let ids = try await phone.transfers.download([DownloadOrder(file, destination: folder.file("out"))])
        #expect(await last(ids[0], on: phone)?.state == .completed)
        #expect(try folder.read("out") == versions[1])

        var revisions = [FileRevision]()
        for try await page in phone.revisions.list(file.id) { revisions += page }
        #expect(revisions.map(\.size) == [3000, 9 << 20])
        _ = try await phone.revisions.restore(revisions[1].revisionId, of: file.id)
        let again = try await phone.transfers.download([
            DownloadOrder(fileId: file.id, name: file.name, destination: folder.file("out"))
        ])
        #expect(await last(again[0], on: phone)?.state == .completed)
        #expect(try folder.read("out") == versions[0])
        try await kitchen.close()
        try await phone.close()
        await server.stop()
    }

    @Test func filesAreMovedCopiedStarredTrashedAndBroughtBack() async throws {
        let server = try await RealServer()
        let folder = try TemporaryFolder()
        let home = try await server.device("kitchen", register: true)
        _ = try await put(folder.write("a", [1, 2, 3]), as: "a", on: home)
        let file = try await home.files.file(at: RemotePath("/a"))
        let place = try await home.files.makeFolder(named: "place", in: File.rootId)
        #expect(try await home.files.move(file.id, to: place.id, as: "b").name == "b")
        #expect(try await home.files.copy(file.id, to: File.rootId, as: "c").checksum == file.checksum)
        #expect(try await home.files.setStarred(true, file.id).starred)
        try await home.files.trash(place.id)
        #expect(try await home.files.fileIfPresent(at: RemotePath("/place/b")) == nil)
        var trash = [File]()
        for try await page in home.files.listTrash() { trash += page }
        #expect(trash.map(\.id) == [place.id])
        _ = try await home.files.untrash(place.id)
        #expect(try await home.files.file(at: RemotePath("/place/b")).id == file.id)
        try await home.files.deletePermanently(place.id)
        await #expect { try await home.files.file(file.id) } throws: { ($0 as? ClientFailure)?.code == .notFound }
        try await home.close()
        await server.stop()
    }

    @Test func aChangeOnOneDeviceReachesTheOther() async throws {
        let server = try await RealServer()
        let kitchen = try await server.device("kitchen", register: true)
        let phone = try await server.device("phone", register: false)
        let start = try await phone.changes.cursor()
        let made = try await kitchen.files.makeFolder(named: "new", in: File.rootId)
        for try await event in phone.changes.watch(from: start) {
            guard case .changes(let changes, _) = event else { continue }
            #expect(changes.contains { $0.id == made.id })
            break
        }
        try await kitchen.close()
        try await phone.close()
        await server.stop()
    }

    @Test func aDeviceThatIsSignedOutIsToldSo() async throws {
        let server = try await RealServer()
        let kitchen = try await server.device("kitchen", register: true)
        let phone = try await server.device("phone", register: false)
        guard let device = try phone.account.signedIn()?.device else { return }
        try await kitchen.account.signOutDevice(device.id)
        await #expect { try await phone.files.file(File.rootId) } throws: {
            ($0 as? ClientFailure)?.code == .signInNeeded
        }
        #expect(try await kitchen.account.logout())
        #expect(try kitchen.account.signedIn() == nil)
        try await kitchen.close()
        try await phone.close()
        await server.stop()
    }

    @Test func manySmallFilesOfEverySizeArrive() async throws {
        let server = try await RealServer()
        let folder = try TemporaryFolder()
        let home = try await server.device("kitchen", register: true)
        let orders = try (0..<100).map { number in
            UploadOrder(
                localPath: try folder.write("f\(number)", content(number * 37, seed: UInt64(number))),
                name: "f\(number)",
                parentId: File.rootId)
        }
        let ids = try await home.transfers.upload(orders)
        for await _ in await home.transfers.observe(ids) {}
        var files = [File]()
        for try await page in home.files.list(File.rootId) { files += page }
        #expect(files.count == 100)
        for number in 0..<100 {
            let expected = content(number * 37, seed: UInt64(number))
            #expect(files.first { $0.name == "f\(number)" }?.size == Int64(expected.count))
        }
        try await home.close()
        await server.stop()
    }
}
