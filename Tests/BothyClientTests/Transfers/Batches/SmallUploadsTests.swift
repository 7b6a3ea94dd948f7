import BothyContract
import Foundation
import RealServing
import Testing

@testable import BothyClient

/// Many small files at once, each a transfer of its own.
@Suite struct SmallUploadsTests {
    private func orders(_ count: Int, in folder: TemporaryFolder, size: Int = 300) throws -> [UploadOrder] {
        try (0..<count).map { index in
            var random = SeededRandom(UInt64(index))
            let path = try folder.write("source-\(index)", random.bytes(size))
            return UploadOrder(localPath: path, name: "file-\(index)", parentId: File.rootId, conflict: .fork)
        }
    }

    private func ends(
        _ ids: [String], _ home: DeviceHome, each: (TransferSnapshot) async throws -> Void = { _ in }
    ) async throws -> [String: TransferSnapshot] {
        var ends = [String: TransferSnapshot]()
        for await snapshot in await home.transfers.observe(ids) {
            if snapshot.state.rests { ends[snapshot.name] = snapshot }
            try await each(snapshot)
        }
        return ends
    }

    @Test func eachOfManyFilesIsATransferWithItsOwnEnd() async throws {
        let server = try await RealServer()
        let folder = try TemporaryFolder()
        let home = try await server.device("kitchen", register: true)
        var orders = try orders(150, in: folder)
        orders[70].parentId = "019a2b60-89ab-7cde-8f01-23456789abcd"
        let ids = try await home.transfers.upload(orders)
        let ends = try await ends(ids, home)
        #expect(ends.count == 150)
        #expect(ends.values.filter { $0.state == .completed }.count == 149)
        #expect(ends["file-70"]?.state == .failed)
        #expect(ends["file-70"]?.failure?.problem?.code == .parentGone)
        var names = Set<String>()
        for try await page in home.files.list(File.rootId) {
            for file in page {
                names.insert(file.name)
                #expect(file.checksum == ends[file.name]?.checksum)
                #expect(file.id == ends[file.name]?.remoteFileId)
            }
        }
        #expect(names.count == 149, "none twice")
        try await home.close()
        await server.stop()
    }

    @Test func aServerThatKnowsNoBatchesGetsEachFileAlone() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let ids = try await device.home.transfers.upload(orders(40, in: device.folder))
        let ends = try await ends(ids, device.home)
        #expect(ends.values.filter { $0.state == .completed }.count == 40)
        #expect(await server.drive.contents.count == 40)
        // Where the machine is busy one whose answer comes late is asked again, under its own id.
        #expect(await server.drive.count("whole") >= 40)
        try await device.close()
    }

    @Test(arguments: [300, 20_000]) func whoWatchesIsToldOfEachWhenTheProgramStops(size: Int) async throws {
        let server = try await RealServer()
        let folder = try TemporaryFolder()
        let home = try await server.device("kitchen", register: true)
        let orders = try orders(200, in: folder, size: size)
        let ids = try await home.transfers.upload(orders)
        let stream = await home.transfers.observe(ids)
        async let stopped: Void = home.transfers.stop()
        var ends = [String: TransferState]()
        for await snapshot in stream where snapshot.state.rests { ends[snapshot.id] = snapshot.state }
        await stopped
        #expect(ends.count == 200)
        #expect(ends.values.allSatisfy { $0 == .completed || $0 == .paused(.stopped) })
        // What is begun after that is told of at once.
        let late = try await home.transfers.upload([orders[0]])
        var last: TransferState?
        for await snapshot in await home.transfers.observe(late) { last = snapshot.state }
        #expect(last == .paused(.stopped) || last == .completed)
        try await home.close()
        await server.stop()
    }

    @Test func aFileThatIsCanceledTakesNoOtherWithIt() async throws {
        let server = try await RealServer()
        let folder = try TemporaryFolder()
        let home = try await server.device("kitchen", register: true)
        let orders = try orders(60, in: folder)
        let ids = try await home.transfers.upload(orders)
        async let canceled: Void = home.transfers.cancel(ids[31])
        let ends = try await ends(ids, home)
        _ = try? await canceled
        #expect(ends.values.filter { $0.state == .completed }.count >= 59)
        #expect(ends.values.allSatisfy { $0.state == .completed || $0.id == ids[31] })
        try await home.close()
        await server.stop()
    }

    /// Each has its own end, whatever becomes of those that it was begun with.
    @Test func ofSeveralThatSomebodyKeepsAccountOfEachIsAnswered() async throws {
        let server = try await RealServer()
        let folder = try TemporaryFolder()
        let home = try await server.device("kitchen", register: true)
        var orders = try orders(40, in: folder)
        orders[7].localPath = folder.file("not there")
        orders[9].parentId = "019a2b60-89ab-7cde-8f01-23456789abcd"
        let old = try await home.transfers.upload(orders[3], as: "kept-3")
        let kept = orders.enumerated().map { TransfersRepository.KeptOrder($1, as: "kept-\($0)") }
        let ends = try await home.transfers.upload(kept)
        #expect(ends.count == 40)
        for (number, end) in ends.enumerated() {
            switch number {
            case 3:
                let end = try end.get()
                #expect(end.isOld && end.file == nil && end.end.remoteFileId == old.end.remoteFileId)
            case 7: #expect { try end.get() } throws: { ($0 as? ClientFailure)?.code == .fileMissing }
            case 9: #expect { try end.get() } throws: { ($0 as? ClientFailure)?.problem?.code == .parentGone }
            default:
                let end = try end.get()
                #expect(!end.isOld && end.end.id == "kept-\(number)" && end.file?.name == "file-\(number)")
            }
        }
        #expect(await home.transfers.awaited.isEmpty)
        #expect(await home.transfers.answers.isEmpty, "nothing is kept for whom nobody waits")
        try await home.close()
        await server.stop()
    }

    /// Whoever gives up waiting leaves nothing that runs, and nothing that is lost.
    @Test func severalThatAreGivenUpRestAndGoOnWhenTheyAreAskedForAgain() async throws {
        let server = try await RealServer()
        let folder = try TemporaryFolder()
        let home = try await server.device("kitchen", register: true)
        let kept = try orders(60, in: folder).enumerated().map { TransfersRepository.KeptOrder($1, as: "kept-\($0)") }
        for turns in 0..<12 {
            let upload = Task { try await home.transfers.upload(kept) }
            for _ in 0..<(turns * turns * 20) { await Task.yield() }
            upload.cancel()
            guard case .failure = await upload.result else { break }
            #expect(await home.transfers.running.isEmpty)
            #expect(try await home.transfers.list().allSatisfy { $0.state == .paused(.stopped) })
        }
        let ends = try await home.transfers.upload(kept)
        #expect(ends.allSatisfy { (try? $0.get().end.state) == .completed })
        var count = 0
        for try await page in home.files.list(File.rootId) { count += page.count }
        #expect(count == 60, "each is there once")
        try await home.close()
        await server.stop()
    }

    /// Whoever waits may give up at any moment: before it has its turn, before it has begun, in its middle.
    @Test func nothingIsSentAnyMoreOfWhatNobodyWaitsFor() async throws {
        let server = try await FakeServer()
        let device = try await TestDevice(server.origin)
        let transfers = device.home.transfers
        var stopped = 0
        let orders = try orders(60, in: device.folder)
        for (turns, order) in orders.enumerated() {
            let upload = Task { try await transfers.upload(order, as: order.name) }
            for _ in 0..<turns { await Task.yield() }
            upload.cancel()
            guard case .failure = await upload.result else { continue }
            // None where it was given up before anything was written down.
            let state = try await transfers.list(over: true).first { $0.id == order.name }?.state
            #expect([nil, .paused(.stopped), .completed].contains(state), "after \(turns) turns")
            stopped += 1
        }
        #expect(stopped > 0)
        // What was stopped is gone on with when it is asked for again.
        for order in orders {
            #expect(try await transfers.upload(order, as: order.name).end.state == .completed)
        }
        try await device.close()
    }

    /// The server made it, its answer was lost, and the file is another by now: nobody would ever send this again.
    @Test func whatTheServerHasMadeDoesNotWaitToBeSent() async throws {
        let server = try await RealServer()
        let folder = try TemporaryFolder()
        let home = try await server.device("kitchen", register: true)
        let order = try orders(1, in: folder)[0]
        let end = try await home.transfers.upload(order, as: "first").end
        try await home.transfers.sendAgain("first")
        #expect(try await home.transfers.list().map(\.state) == [.paused(.stopped)])
        guard case .done(let file) = try await home.drive.end(of: "first", withdrawing: true) else {
            Issue.record("the server does not know what it made")
            return
        }
        #expect(file?.id == end.remoteFileId)
        #expect(try await home.transfers.list().isEmpty)
        #expect(try await home.transfers.snapshot("first").state == .completed)
        try await home.close()
        await server.stop()
    }
}
