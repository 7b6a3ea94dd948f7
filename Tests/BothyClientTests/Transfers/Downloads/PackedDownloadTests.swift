@testable import BothyClient
import BothyContent
import BothyContract
import Foundation
import NIOCore
import RealServing
import Testing

/// Ranges that come compressed.
@Suite struct PackedDownloadTests {
    private func text(_ size: Int) -> [UInt8] {
        var random = SeededRandom(11)
        let words = ["a shelter ", "stands ", "open ", "in any weather\n"]
        var page = [UInt8]()
        while page.count < 1_100_000 {
            page += Array(words[random.below(words.count)].utf8)
            if random.below(3) == 0 { page += Array("\(random.next())".utf8) }
        }
        var text = [UInt8]()
        // It repeats itself, but not within a frame.
        while text.count < size { text += page + Array("page \(text.count)\n".utf8) }
        return Array(text.prefix(size))
    }

    private func download(
        _ size: Int, faults: (FakeDrive) async -> Void = { _ in }
    ) async throws -> (end: TransferSnapshot, drive: FakeDrive, arrived: Bool) {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let bytes = text(size)
        let file = await server.drive.store(bytes, name: "notes.txt")
        await server.drive.learnToPack()
        await faults(server.drive)
        let end = try await device.get(file.id, to: device.folder.file("out"))
        let arrived = (try? device.folder.read("out")) == bytes
        if arrived { #expect(try device.folder.names() == ["home", "out"]) }
        try await device.close()
        return (end, server.drive, arrived)
    }

    @Test(arguments: [1 << 20, (9 << 20) + 777, 20 << 20])
    func whatShrinksComesInFewerBytesAndIsCountedSo(size: Int) async throws {
        let (end, drive, arrived) = try await download(size)
        #expect(end.state == .completed && arrived)
        #expect(end.bytesMoved == Int64(size) && end.bytesDone == Int64(size))
        let packed = await drive.packedRanges.reduce(0, +)
        #expect(packed > 0 && packed < size / 2)
        #expect(end.bytesCarried == Int64(packed))
    }

    @Test(arguments: [FakeDrive.Fault.garble, .truncate])
    func whatCannotBeUnpackedIsNeverCountedAndTheRestComesPlain(_ fault: FakeDrive.Fault) async throws {
        let (end, drive, arrived) = try await download(9 << 20) { await $0.fault("content", fault) }
        #expect(end.state == .completed && arrived)
        #expect(await drive.count("content") == 2)
        #expect(await drive.packedRanges.count == 1, "asked for plain the second time")
        // Frames that came whole before it are here.
        #expect(await drive.contentBytes < 15 << 20)
        #expect(end.failure == nil)
    }

    @Test func aWayThatGarblesAllThatIsCompressedOnlyCostsTheFirstRanges() async throws {
        let (end, drive, arrived) = try await download(50 << 20) {
            for _ in 0..<100 { await $0.fault("content", .garble) }
        }
        #expect(end.state == .completed && arrived)
        #expect(await drive.packedRanges.count <= DownloadMachine.largestWindow)
    }

    @Test func aRangeThatIsCutGoesOnCompressedBehindTheLastFrameThatCameWhole() async throws {
        let (end, drive, arrived) = try await download(12 << 20) { await $0.fault("content", .cut) }
        #expect(end.state == .completed && arrived)
        #expect(await drive.packedRanges.count == 2)
        #expect(await drive.contentBytes < 20 << 20)
    }

    /// Less than a frame gets through each time: plain bytes count sooner.
    @Test func connectionsThatEndWithinAFrameGetThereInTheEnd() async throws {
        let (end, drive, arrived) = try await download(3 << 20) { await $0.cutConnections(after: 140_000) }
        #expect(end.state == .completed && arrived)
        #expect((1...DownloadMachine.cutsBeforeShrinking).contains(await drive.packedRanges.count))
    }

    @Test(arguments: [FakeDrive.Fault.wrongRange, .tooMuch])
    func whatIsCompressedIsBelievedNoMoreThanWhatIsNot(_ fault: FakeDrive.Fault) async throws {
        let (end, _, arrived) = try await download(5 << 20) { await $0.fault("content", fault) }
        #expect(end.state == .completed && arrived)
    }

    @Test func whatWasPackedWrongIsFoundByTheWholesHash() async throws {
        let (end, drive, arrived) = try await download(5 << 20) { await $0.fault("content", .flipContent) }
        #expect(end.state == .completed && arrived)
        #expect(await drive.packedRanges.count == 1)
    }

    @Test func contentIsReadWithoutBeingKept() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let bytes = text((3 << 20) + 11)
        let file = await server.drive.store(bytes, name: "a")
        await server.drive.learnToPack()
        for (faults, packed) in [([], 4), ([.garble], 1), ([.truncate], 1)] as [([FakeDrive.Fault], Int)] {
            for fault in faults { await server.drive.fault("content", fault) }
            let before = await server.drive.packedRanges.count
            var read = ByteBuffer()
            for try await piece in await device.home.transfers.read(file.id) { read.writeImmutableBuffer(piece) }
            #expect([UInt8](buffer: read) == bytes)
            #expect(await server.drive.packedRanges.count - before == packed)
        }
        try await device.close()
    }

    @Test func theRealServerCompressesWhatShrinks() async throws {
        let server = try await RealServer()
        let folder = try TemporaryFolder()
        let home = try await server.device("kitchen", register: true)
        var random = SeededRandom(3)
        let contents = ["text": text((5 << 20) + 321), "noise": random.bytes((5 << 20) + 321)]
        let orders = try contents.map { name, content in
            UploadOrder(localPath: try folder.write(name, content), name: name, parentId: File.rootId)
        }
        for await _ in await home.transfers.observe(try await home.transfers.upload(orders)) {}
        var downloads = [DownloadOrder]()
        for try await page in home.files.list(File.rootId) {
            downloads += page.map { DownloadOrder($0, destination: folder.file("out-\($0.name)")) }
        }
        var carried = [String: Int64]()
        for await end in await home.transfers.observe(try await home.transfers.download(downloads)) {
            carried[end.name] = end.bytesCarried
        }
        for (name, content) in contents { #expect(try folder.read("out-\(name)") == content) }
        #expect(try #require(carried["text"]) < (5 << 20) / 2)
        #expect(carried["noise"] == Int64((5 << 20) + 321))
        try await home.close()
        await server.stop()
    }
}
