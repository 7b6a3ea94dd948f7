import BothyClient
import BothyContent
import BothyContract
import Foundation
import NIOCore
import Testing

@Suite struct DownloadFlowTests {
    private func content(_ size: Int, seed: UInt64 = 2) -> [UInt8] {
        var random = SeededRandom(seed)
        return random.bytes(size)
    }

    private func download(
        _ size: Int, faults: (FakeDrive) async -> Void = { _ in }
    ) async throws -> (end: TransferSnapshot, drive: FakeDrive, device: TestDevice, arrived: Bool) {
        let server = try await FakeServer()
        let bytes = content(size)
        let file = await server.drive.store(bytes, name: "file.bin")
        await faults(server.drive)
        let device = try await TestDevice(server.origin)
        let end = try await device.get(file.id, to: device.folder.file("out"))
        let arrived = (try? device.folder.read("out")) == bytes
        try await device.close()
        return (end, server.drive, device, arrived)
    }

    @Test(arguments: [0, 1, 4096, 4 << 20, (40 << 20) + 5]) func whatIsFetchedIsWhatTheServerHas(size: Int) async throws
    {
        let (end, _, device, arrived) = try await download(size)
        #expect(end.state == .completed)
        #expect(arrived)
        #expect(end.bytesDone == Int64(size))
        #expect(try device.folder.names() == ["home", "out"])
    }

    @Test func aWrongContentRangeIsNoticedAndTriedAgain() async throws {
        let (end, _, _, arrived) = try await download(9 << 20) { await $0.fault("content", .wrongRange) }
        #expect(end.state == .completed)
        #expect(arrived)
    }

    @Test func aWholeFileWhereAPartWasAskedForIsNoticedAndTriedAgain() async throws {
        let (end, _, _, arrived) = try await download(40 << 20) { await $0.fault("content", .wholeFile) }
        #expect(end.state == .completed)
        #expect(arrived)
    }

    @Test func moreBytesThanWereDeclaredAreNotTaken() async throws {
        let (end, _, _, arrived) = try await download(9 << 20) { await $0.fault("content", .tooMuch) }
        #expect(end.state == .completed)
        #expect(arrived)
    }

    @Test func aBodyThatIsCutGoesOnWhereItWas() async throws {
        let (end, _, _, arrived) = try await download(40 << 20) { await $0.fault("content", .cut, .cut) }
        #expect(end.state == .completed)
        #expect(arrived)
    }

    @Test func aNetworkThatCutsEveryConnectionWithinAChunkMakesChunksSmaller() async throws {
        let (end, _, _, arrived) = try await download(9 << 20) { await $0.cutConnections(after: 600 << 10) }
        #expect(end.state == .completed)
        #expect(arrived)
    }

    @Test func aFlippedBitIsNoticedAndNeverPromoted() async throws {
        let (end, drive, _, arrived) = try await download(9 << 20) { await $0.fault("content", .flipContent) }
        #expect(end.state == .completed)
        #expect(arrived)
        #expect(await drive.count("file") == 2)
    }

    @Test func corruptionThatStaysEndsTheTransferAndLeavesNothingBehind() async throws {
        let (end, _, device, _) = try await download(4096) { await $0.fault("content", .flipContent, .flipContent) }
        #expect(end.state == .failed)
        #expect(end.failure?.code == .integrityMismatch)
        #expect(try device.folder.names() == ["home"])
    }

    @Test func anExpiredAddressIsAskedForAnew() async throws {
        let (end, drive, _, arrived) = try await download(9 << 20) { await $0.fault("content", .expiredAddress) }
        #expect(end.state == .completed)
        #expect(arrived)
        #expect(await drive.count("file") == 2)
    }

    @Test func aServerThatAnswersOddlyForEverEndsTheTransfer() async throws {
        let (end, _, device, _) = try await download(4096) { drive in
            for _ in 0..<20 { await drive.fault("content", .wrongRange) }
        }
        #expect(end.state == .failed)
        #expect(end.failure?.code == .answerInvalid)
        #expect(try !device.folder.names().contains("out"))
    }

    @Test func aDestinationThatIsAFolderIsRefused() async throws {
        let server = try await FakeServer()
        let file = await server.drive.store([1], name: "a")
        let device = try await TestDevice(server.origin)
        #expect(try await device.get(file.id, to: device.folder.path).failure?.code == .destinationIsAFolder)
        #expect(
            try await device.get(file.id, to: device.folder.file("no/such/folder")).failure?.code
                == .destinationFolderMissing)
        try device.folder.write("there", [7])
        #expect(
            try await device.get(file.id, to: device.folder.file("there"), replacing: false).failure?.code
                == .destinationExists)
        #expect(try device.folder.read("there") == [7])
        try await device.close()
    }

    /// A download that has put its file in place, and ended before its record said so.
    private func promotedWithoutARecord(
        _ bytes: [UInt8], replacing: Bool
    ) async throws -> (server: FakeServer, device: TestDevice, fileId: String) {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let file = await server.drive.store(bytes, name: "a")
        let end = try await device.get(file.id, to: device.folder.file("out"), replacing: replacing)
        #expect(end.state == .completed)
        let store = TransferStore(database: try ClientDatabase(path: device.folder.file("home/client.sqlite")))
        _ = try await store.update(end.id) { record in
            guard case .download(var transfer) = record else { return }
            transfer.state = .transferring
            transfer.downloadedChunks = ChunkProgress(total: transfer.downloadedChunks.total)
            record = .download(transfer)
        }
        return (server, device, file.id)
    }

    @Test(arguments: [true, false]) func whatWasPromotedBeforeItsRecordSaidSoIsNotFetchedAgain(
        replacing: Bool
    ) async throws {
        let bytes = content(9 << 20)
        let (server, device, fileId) = try await promotedWithoutARecord(bytes, replacing: replacing)
        let requests = await server.drive.count("content")
        let end = try await device.get(fileId, to: device.folder.file("out"), replacing: replacing)
        #expect(end.state == .completed)
        #expect(await server.drive.count("content") == requests)
        #expect(try device.folder.read("out") == bytes)
        #expect(try device.folder.names() == ["home", "out"])
        try await device.close()
    }

    @Test func whatAPersonMadeOfAPromotedFileIsNotReplaced() async throws {
        let (server, device, fileId) = try await promotedWithoutARecord(content(9 << 20), replacing: true)
        let requests = await server.drive.count("content")
        try device.folder.write("out", [1, 2, 3])
        let end = try await device.get(fileId, to: device.folder.file("out"))
        #expect(end.failure?.code == .changedMeanwhile)
        #expect(await server.drive.count("content") == requests)
        #expect(try device.folder.read("out") == [1, 2, 3])
        try await device.close()
    }

    /// Days may lie between the word that a file may be replaced and the moment at which it is.
    @Test(arguments: [9 << 20, 10]) func whatChangedSinceItWasToBeReplacedIsNotReplaced(size: Int) async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let file = await server.drive.store(content(size), name: "a")
        let out = try device.folder.write("out", [7])
        func order() throws -> DownloadOrder {
            var order = DownloadOrder(file, destination: out)
            order.replaces = SourcePin(try #require(try SystemDisk().facts(of: out)))
            return order
        }
        await server.drive.fault("content", .refuse(.accountDisabled))
        let first = try await device.rest(device.home.transfers.download([order()])[0])
        #expect(first.state == .failed)
        try device.folder.write("out", [1, 2, 3])
        try await device.home.transfers.retry(first.id)
        let again = try await device.rest(first.id)
        #expect(again.failure?.code == .changedMeanwhile)
        #expect(try device.folder.read("out") == [1, 2, 3])
        let decided = try await device.rest(device.home.transfers.download([order()])[0])
        #expect(decided.id == first.id && decided.state == .completed)
        #expect(try device.folder.read("out") == content(size))
        #expect(try device.folder.names() == ["home", "out"])
        try await device.close()
    }

    @Test func aDamagedCopyOnTheServerIsToldAtOnceAndNotAskedForAgain() async throws {
        let (end, drive, _, _) = try await download(9 << 20) {
            for _ in 0..<20 { await $0.fault("content", .refuse(.contentCorrupt)) }
        }
        #expect(end.state == .failed)
        #expect(end.failure?.code == .contentDamaged)
        #expect(end.failure?.words.contains("file.bin") == true)
        #expect(await drive.count("content") == 1)
        #expect(await drive.count("file") == 1)
    }

    @Test func aNewRevisionOnTheServerBeginsAgain() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let file = await server.drive.store(content(9 << 20), name: "a")
        await server.drive.fault("content", .refuse(.accountDisabled))
        let first = try await device.get(file.id, to: device.folder.file("out"))
        #expect(first.state == .failed)
        let newer = content(5 << 20, seed: 9)
        await server.drive.store(newer, name: "a", id: file.id)
        let second = try await device.get(file.id, to: device.folder.file("out"))
        #expect(second.id == first.id)
        #expect(second.state == .completed)
        #expect(try device.folder.read("out") == newer)
        try await device.close()
    }

    /// A file that was fetched, and has changed on the server since.
    private func edited(
        _ size: Int, faults: (FakeDrive) async -> Void = { _ in }, here: (String) throws -> Void = { _ in }
    ) async throws -> (end: TransferSnapshot, arrived: Bool, fetched: Int) {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        var bytes = content(size)
        let file = await server.drive.store(bytes, name: "a")
        let out = device.folder.file("out")
        #expect(try await device.get(file.id, to: out).state == .completed)
        try here(out)
        bytes.replaceSubrange((3 << 20)..<(3 << 20) + 100_000, with: content(100_000, seed: 3))
        bytes.insert(7, at: bytes.count * 2 / 3)
        await server.drive.store(bytes, name: "a", id: file.id)
        await faults(server.drive)
        let before = await server.drive.contentBytes
        let end = try await device.get(file.id, to: out)
        let arrived = (try? device.folder.read("out")) == bytes
        #expect(try device.folder.names() == ["home", "out"])
        try await device.close()
        return (end, arrived, await server.drive.contentBytes - before)
    }

    @Test func ofAnEditedFileOnlyWhatIsNotHereIsFetched() async throws {
        let (end, arrived, fetched) = try await edited(24 << 20)
        #expect(end.state == .completed && arrived)
        #expect(fetched < 1 << 20, "\(fetched) bytes were fetched for an edit of 100,001")
        #expect(end.bytesCarried == Int64(fetched))
    }

    @Test func whereTheBlocksAreNotToldEverythingIsFetched() async throws {
        let (end, arrived, fetched) = try await edited(9 << 20) { await $0.fault("blocks", .refuse(.notFound)) }
        #expect(end.state == .completed && arrived)
        #expect(fetched == (9 << 20) + 1)
    }

    @Test func whatIsHereAndIsAnotherFileHelpsNothingAndHarmsNothing() async throws {
        let (end, arrived, fetched) = try await edited(9 << 20) { _ in
        } here: {
            try Data([UInt8](repeating: 7, count: 5 << 20)).write(to: URL(filePath: $0))
        }
        #expect(end.state == .completed && arrived)
        #expect(fetched == (9 << 20) + 1)
    }

    @Test func aBitThatFlippedInWhatIsHereCostsItsBlock() async throws {
        let (end, arrived, fetched) = try await edited(9 << 20) { _ in
        } here: { path in
            var bytes = try Data(contentsOf: URL(filePath: path))
            bytes[1 << 20] ^= 1
            try bytes.write(to: URL(filePath: path))
        }
        #expect(end.state == .completed && arrived)
        #expect(fetched < 2 << 20, "\(fetched) bytes were fetched")
    }

    @Test func aReusedFileThatArrivesWrongIsFetchedWhole() async throws {
        let (end, arrived, fetched) = try await edited(9 << 20) { await $0.fault("content", .flipContent) }
        #expect(end.state == .completed && arrived)
        #expect(fetched > 9 << 20)
    }

    @Test func contentIsReadWithoutBeingKept() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let bytes = content((3 << 20) + 11)
        let file = await server.drive.store(bytes, name: "a")
        await server.drive.fault("content", .cut, .expiredAddress)
        var read = ByteBuffer()
        for try await piece in await device.home.transfers.read(file.id) { read.writeImmutableBuffer(piece) }
        #expect([UInt8](buffer: read) == bytes)
        await server.drive.fault("content", .flipContent)
        await #expect(throws: ClientFailure.self) {
            for try await _ in await device.home.transfers.read(file.id) {}
        }
        try await device.close()
    }
}
