@testable import BothyClient
import BothyContract
import Foundation
import RealServing
import Testing

/// Answers that come compressed.
extension SmallDownloadsTests {
    @Test func whatShrinksComesInFewerBytes() async throws {
        let world = try await World(120, size: 2_000, packs: true)
        let ends = try await world.fetchAll()
        #expect(ends.values.allSatisfy { $0.state == .completed && $0.bytesMoved == 2_000 })
        #expect(try world.arrived())
        let carried = ends.values.compactMap(\.bytesCarried).reduce(0, +)
        let packed = await world.server.drive.packedBatches.reduce(0, +)
        #expect(packed > 0)
        // The first one may have gone by itself; metadata is not counted to the contents.
        #expect((packed / 3...packed + 2 * 2_000).contains(Int(carried)), "\(carried) of \(packed)")
        #expect(carried < 120 * 2_000 / 3)
        try await world.device.close()
    }

    @Test func ofAnAnswerThatIsCutAndCameCompressedWhatCameWholeCounts() async throws {
        let world = try await World(60, faults: [.cut(after: 25)], packs: true)
        let ends = try await world.fetchAll()
        #expect(ends.values.filter { $0.state == .completed }.count == 60)
        #expect(try world.arrived())
        let batches = await world.server.drive.batches
        try #require(batches[0].count > 25)
        let again = batches.dropFirst().flatMap(\.self)
        // Of the last frame nothing counts: that is up to 4,000 bytes of some 500 each.
        #expect(Set(batches[0].prefix(15)).isDisjoint(with: again), "what came whole is not fetched again")
        #expect(Set(batches[0].dropFirst(25)).isSubset(of: again))
        #expect(
            await world.server.drive.packedBatches.count == batches.count - 1,
            "a cut is no reason to ask for plain bytes")
        try await world.device.close()
    }

    @Test(arguments: [FakeDrive.BatchFault.garble, .truncate])
    func whatCannotBeUnpackedIsAskedForPlain(_ fault: FakeDrive.BatchFault) async throws {
        let world = try await World(60, size: 2_000, faults: [fault], packs: true)
        let ends = try await world.fetchAll()
        #expect(ends.values.filter { $0.state == .completed }.count == 60)
        #expect(try world.arrived())
        let drive = world.server.drive
        // It is asked for together still.
        #expect(await drive.count("content") <= 2)
        #expect(await drive.packedBatches.count < drive.batches.count)
        try await world.device.close()
    }

    /// Each of them once: who asks plain is not garbled again.
    @Test func aWayThatGarblesAllThatIsCompressedHoldsNobodyUp() async throws {
        let world = try await World(200, size: 2_000, faults: Array(repeating: .garble, count: 400), packs: true)
        let ends = try await world.fetchAll()
        #expect(ends.values.filter { $0.state == .completed }.count == 200)
        #expect(try world.arrived())
        #expect(await world.server.drive.batches.count <= 20)
        try await world.device.close()
    }

    @Test func anItemThatIsRefusedOrFlippedInACompressedAnswerIsNothingToTheOthers() async throws {
        for fault in [FakeDrive.BatchFault.refuse(7, .notFound), .flip(7)] {
            let world = try await World(40, faults: [fault], packs: true)
            let ends = try await world.fetchAll()
            #expect(ends.values.filter { $0.state == .completed }.count == 40)
            #expect(try world.arrived())
            #expect((1...2).contains(await world.server.drive.count("content")), "it is asked for by itself")
            try await world.device.close()
        }
    }

    @Test func theRealServerCompressesWhatShrinks() async throws {
        let server = try await RealServer()
        let folder = try TemporaryFolder()
        let home = try await server.device("kitchen", register: true)
        let contents = (0..<150).map { Array(String(repeating: "line \($0) of a source\n", count: $0 * 3).utf8) }
        let orders = try contents.enumerated().map { index, content in
            UploadOrder(
                localPath: try folder.write("source-\(index)", content), name: "file-\(index)", parentId: File.rootId)
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
        for (index, content) in contents.enumerated() { #expect(try folder.read("out-file-\(index)") == content) }
        let plain = contents.reduce(0) { $0 + $1.count }
        #expect(carried.count == 150 && carried.values.reduce(0, +) < plain / 3)
        try await home.close()
        await server.stop()
    }
}
