@testable import BothyClient
import BothyContract
import Foundation
import RealServing
import Testing

/// Many small files at once, each a transfer of its own.
@Suite struct SmallDownloadsTests {
    struct World {
        let server: FakeServer
        let device: TestDevice
        let files: [File]
        let contents: [[UInt8]]

        /// - Parameter packs: whether contents shrink, and the server sends them compressed.
        init(
            _ count: Int, size: Int = 300, faults: [FakeDrive.BatchFault] = [], knows: Bool = true, packs: Bool = false,
            disk: (any LocalDisk)? = nil
        ) async throws {
            server = try await FakeServer()
            // However busy the machine is, what is held stays so until it is let go.
            let holds = faults.contains { if case .hold = $0 { true } else { false } }
            device = try await TestDevice(server.origin, disk: disk, silence: holds ? 3_600 : nil)
            var (files, contents) = ([File](), [[UInt8]]())
            for index in 0..<count {
                var random = SeededRandom(UInt64(index))
                contents.append(packs ? Self.text(size, &random) : random.bytes(size))
                files.append(await server.drive.store(contents[index], name: "file-\(index)"))
            }
            (self.files, self.contents) = (files, contents)
            if knows { await server.drive.learnContentBatches(faults) }
            if packs { await server.drive.learnToPack() }
        }

        private static func text(_ size: Int, _ random: inout SeededRandom) -> [UInt8] {
            let words = ["a shelter ", "stands ", "open ", "in any weather\n"]
            var text = [UInt8]()
            while text.count < size { text += Array(words[random.below(words.count)].utf8) }
            return Array(text.prefix(size))
        }

        var orders: [DownloadOrder] {
            files.map { DownloadOrder($0, destination: device.folder.file("out-\($0.name)")) }
        }

        /// Each by the revision that it has now, as a folder in step asks.
        func pinned(_ file: File) -> DownloadOrder {
            DownloadOrder(
                fileId: file.id, revisionId: file.headRevisionId, name: file.name,
                destination: device.folder.file("out-\(file.name)"), size: file.size)
        }

        func ends(_ ids: [String]) async -> [String: TransferSnapshot] {
            var ends = [String: TransferSnapshot]()
            for await snapshot in await device.home.transfers.observe(ids) where snapshot.state.rests {
                ends[snapshot.name] = snapshot
            }
            return ends
        }

        func fetchAll() async throws -> [String: TransferSnapshot] {
            await ends(try await device.home.transfers.download(orders))
        }

        func arrived(but missing: Set<Int> = []) throws -> Bool {
            for (index, content) in contents.enumerated() where !missing.contains(index) {
                guard try device.folder.read("out-file-\(index)") == content else { return false }
            }
            // Nothing half-done is left behind.
            return try device.folder.names().count == contents.count - missing.count + 1
        }
    }

    @Test func manyComeInFewRequests() async throws {
        let world = try await World(300)
        let ends = try await world.fetchAll()
        #expect(ends.values.allSatisfy { $0.state == .completed && $0.bytesDone == 300 && $0.bytesMoved == 300 })
        #expect(ends.count == 300)
        #expect(try world.arrived())
        let drive = world.server.drive
        #expect(await drive.batches.count <= 12)
        #expect(await drive.batches.allSatisfy { $0.count <= BatchGathering.mostItems })
        #expect(await drive.count("content") <= 2)
        try await world.device.close()
    }

    @Test func whoAsksForARevisionNeedNotLookItUp() async throws {
        let world = try await World(50)
        let transfers = world.device.home.transfers
        try await withThrowingTaskGroup(of: TransferSnapshot.self) { group in
            for file in world.files { group.addTask { try await transfers.downloaded(world.pinned(file)) } }
            for try await end in group { #expect(end.state == .completed && end.checksum != nil) }
        }
        #expect(try world.arrived())
        #expect(await world.server.drive.count("file") <= 2)
        #expect(await world.server.drive.batches.count <= 10)
        try await world.device.close()
    }

    /// As a folder in step asks: the log told what the revision is like, and no address.
    @Test(arguments: [300, 60_000, 70_000, 120_000])
    func whatIsKnownOfARevisionWithoutItsAddressIsNotWaitedFor(_ size: Int) async throws {
        let world = try await World(40, size: size)
        let transfers = world.device.home.transfers
        try await withThrowingTaskGroup(of: TransferSnapshot.self) { group in
            for file in world.files {
                var order = world.pinned(file)
                var known = RemoteContent(headOf: file)
                known.downloadUrl = nil
                order.known = known
                group.addTask { [order] in try await transfers.downloaded(order) }
            }
            for try await end in group { #expect(end.state == .completed) }
        }
        #expect(try world.arrived())
        #expect(await world.server.drive.count("file") <= 2)
        try await world.device.close()
    }

    @Test func anAnswerThatIsCutGoesOnAtTheItem() async throws {
        let world = try await World(60, faults: [.cut(after: 25)])
        let ends = try await world.fetchAll()
        #expect(ends.values.filter { $0.state == .completed }.count == 60)
        #expect(try world.arrived())
        let batches = await world.server.drive.batches
        let first = batches[0]
        #expect(first.count > 25)
        let again = batches.dropFirst().flatMap(\.self)
        #expect(Set(first.prefix(25)).isDisjoint(with: again), "what came whole is not fetched again")
        #expect(Set(first.dropFirst(25)).isSubset(of: again))
        try await world.device.close()
    }

    /// They waited for a connection that was there.
    @Test func anAnswerThatNeverGetsPastItsFirstItemHoldsNobodyUp() async throws {
        let world = try await World(20, faults: Array(repeating: .cut(after: 0), count: 200))
        let ends = try await world.fetchAll()
        #expect(ends.values.filter { $0.state == .completed }.count == 20)
        #expect(try world.arrived())
        #expect(await world.server.drive.batches.count <= 20)
        try await world.device.close()
    }

    @Test func whatIsRefusedOfOneIsNothingToTheOthers() async throws {
        let world = try await World(40, faults: [.refuse(7, .contentCorrupt)])
        await world.server.drive.fault("content", .refuse(.contentCorrupt))
        let ends = try await world.fetchAll()
        let failed = ends.values.filter { $0.state != .completed }
        #expect(failed.map(\.failure?.code) == [.contentDamaged])
        let name = try #require(failed.first?.name)
        #expect(failed.first?.failure?.words.contains(name) == true)
        #expect(try world.arrived(but: [try #require(Int(name.dropFirst(5)))]) || ends.count == 40)
        #expect(await world.server.drive.count("content") == 1, "it is asked for once, by itself")
        try await world.device.close()
    }

    @Test func aFlippedBitIsNoticedAndNeverPutInPlace() async throws {
        let world = try await World(40, faults: [.flip(3)])
        let ends = try await world.fetchAll()
        #expect(ends.values.filter { $0.state == .completed }.count == 40)
        #expect(try world.arrived())
        #expect(await world.server.drive.count("content") == 1)
        try await world.device.close()
    }

    @Test func corruptionThatStaysEndsThatOneTransferAndLeavesNothingBehind() async throws {
        let world = try await World(40, faults: [.flip(3)])
        await world.server.drive.fault("content", .flipContent)
        let ends = try await world.fetchAll()
        let failed = ends.values.filter { $0.state == .failed }
        #expect(failed.map(\.failure?.code) == [.integrityMismatch])
        let name = try #require(failed.first?.name)
        #expect(try world.arrived(but: [try #require(Int(name.dropFirst(5)))]))
        try await world.device.close()
    }

    @Test(arguments: FaultyDisk.Call.allCases)
    func whatTheDiskRefusesOnceEndsThatOneTransferAndLeavesNothingBehind(call: FaultyDisk.Call) async throws {
        let disk = FaultyDisk()
        let world = try await World(40, disk: disk)
        // One sync of a folder is for all that came into it until then; there are few of them.
        disk.fail(call, after: call == .syncFolder ? 0 : 5)
        let failed = try await world.fetchAll().values.filter { $0.state != .completed }
        #expect(failed.allSatisfy { $0.state == .failed && $0.failure?.code == .diskFailed })
        // What came whole is not read again.
        #expect(disk.happened == ![.openForReading, .read].contains(call))
        #expect(call == .syncFolder ? !failed.isEmpty : failed.count == (disk.happened ? 1 : 0))
        let ends = try await world.fetchAll()
        #expect(ends.values.filter { $0.state == .completed }.count == 40)
        #expect(try world.arrived())
        try await world.device.close()
    }

    @Test(arguments: [FakeDrive.BatchFault.otherRevision(2), .otherRevision(0)])
    func anAnswerThatSpeaksOfOtherFilesIsNotBelieved(_ fault: FakeDrive.BatchFault) async throws {
        let world = try await World(30, faults: [fault])
        let ends = try await world.fetchAll()
        #expect(ends.values.filter { $0.state == .completed }.count == 30)
        #expect(try world.arrived())
        try await world.device.close()
    }

    @Test(arguments: [nil, 404, 500]) func aServerThatKnowsNoBatchesIsAskedForEachFileAlone(status: Int?) async throws {
        let world = try await World(
            300, faults: Array(repeating: .status(status ?? 0), count: 300), knows: status != nil)
        let ends = try await world.fetchAll()
        #expect(ends.values.filter { $0.state == .completed }.count == 300)
        #expect(try world.arrived())
        // On a busy machine some may be asked for again; not all of them.
        #expect((300..<600).contains(await world.server.drive.count("content")))
        #expect(await world.server.drive.batches.count <= BatchGathering.mostUnderWay, "it is remembered")
        try await world.device.close()
    }

    @Test func aServerThatIsBusyIsAskedAgain() async throws {
        let world = try await World(40, faults: [.status(503)])
        let ends = try await world.fetchAll()
        #expect(ends.values.filter { $0.state == .completed }.count == 40)
        #expect(try world.arrived())
        #expect(await world.server.drive.batches.count >= 2)
        try await world.device.close()
    }

    @Test func aFileThatIsCanceledTakesNoOtherWithIt() async throws {
        let world = try await World(60)
        let ids = try await world.device.home.transfers.download(world.orders)
        async let canceled: Void = world.device.home.transfers.cancel(ids[31])
        let ends = await world.ends(ids)
        _ = try? await canceled
        #expect(ends.values.allSatisfy { $0.state == .completed || $0.id == ids[31] })
        #expect(ends.count == 60)
        try await world.device.close()
    }

    /// Whoever waits may give up at any moment: before it has its turn, before it has begun, in its middle. Nobody waits for it then.
    @Test func whoGivesUpKeepsNobodyWaiting() async throws {
        let world = try await World(60)
        let transfers = world.device.home.transfers
        for (turns, file) in world.files.enumerated() {
            let other = world.files[(turns + 1) % world.files.count]
            async let staying = transfers.downloaded(world.pinned(other))
            let going = Task { try await transfers.downloaded(world.pinned(file)) }
            for _ in 0..<turns { await Task.yield() }
            going.cancel()
            _ = await going.result
            #expect(try await staying.state == .completed)
        }
        try await world.device.close()
    }

    @Test func theRealServerBringsWhatWasSent() async throws {
        let server = try await RealServer()
        let folder = try TemporaryFolder()
        let home = try await server.device("kitchen", register: true)
        var contents = [[UInt8]]()
        for index in 0..<150 {
            var random = SeededRandom(UInt64(index))
            contents.append(random.bytes(index * 131))
        }
        let orders = try contents.enumerated().map { index, content in
            UploadOrder(
                localPath: try folder.write("source-\(index)", content), name: "file-\(index)", parentId: File.rootId)
        }
        for await _ in await home.transfers.observe(try await home.transfers.upload(orders)) {}
        var downloads = [DownloadOrder]()
        for try await page in home.files.list(File.rootId) {
            downloads += page.map { DownloadOrder($0, destination: folder.file("out-\($0.name)")) }
        }
        #expect(downloads.count == 150)
        for await _ in await home.transfers.observe(try await home.transfers.download(downloads)) {}
        for (index, content) in contents.enumerated() { #expect(try folder.read("out-file-\(index)") == content) }
        try await home.close()
        await server.stop()
    }
}
