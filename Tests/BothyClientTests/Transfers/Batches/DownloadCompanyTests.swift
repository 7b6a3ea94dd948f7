import BothyContract
import Foundation
import Testing

@testable import BothyClient

/// Small files that come down together, and what is asked of them while the server keeps their request waiting: whoever is asked does it
/// at once.
@Suite struct DownloadCompanyTests {
    private typealias World = SmallDownloadsTests.World

    private static let count = 40

    /// All are on their way, and the server does not answer.
    private func held(_ world: World) async throws -> [String] {
        let ids = try await world.device.home.transfers.download(world.orders)
        await world.server.drive.whenHeld()
        return ids
    }

    private func states(_ ids: [String], _ transfers: TransfersRepository) async throws -> [TransferState] {
        var states = [TransferState]()
        for id in ids { states.append(try await transfers.snapshot(id).state) }
        return states
    }

    @Test func whoeverWatchesSeesThatTheyAreOnTheirWay() async throws {
        let world = try await World(Self.count, faults: [.hold(after: 0)])
        let ids = try await held(world)
        var underWay = Set<String>()
        for await snapshot in await world.device.home.transfers.observe(ids) {
            if snapshot.state == .transferring { underWay.insert(snapshot.id) }
            if underWay.count == Self.count { await world.server.drive.letGo() }
        }
        #expect(underWay == Set(ids))
        #expect(try world.arrived())
        #expect(await world.server.drive.batches.count == 1)
        #expect(try await world.device.home.transfers.list().isEmpty)
        try await world.device.close()
    }

    @Test func oneThatIsPausedWaitsForNoOtherAndIsGoneOnWithByItself() async throws {
        let world = try await World(Self.count, faults: [.hold(after: 0)])
        let transfers = world.device.home.transfers
        let ids = try await held(world)
        try await transfers.pause(ids[3])
        #expect(try await states([ids[3]], transfers) == [.paused(.user)])
        await world.server.drive.letGo()
        _ = await world.ends(ids)
        #expect(try await states(ids, transfers).filter { $0 != .completed } == [.paused(.user)])
        #expect(try world.arrived(but: [3]))
        try await transfers.resume(ids[3])
        _ = await world.ends([ids[3]])
        #expect(try world.arrived())
        try await world.device.close()
    }

    @Test func whatIsCanceledStaysCanceledWhenTheProgramStops() async throws {
        let world = try await World(Self.count, faults: [.hold(after: 0)])
        let transfers = world.device.home.transfers
        let ids = try await held(world)
        try await transfers.cancel(ids[3])
        await transfers.stop()
        let all = try await states(ids, transfers)
        #expect(all[3] == .canceled)
        #expect(all.filter { $0 == .paused(.stopped) }.count == Self.count - 1)
        #expect(try world.device.folder.names() == ["home"], "nothing half-done is left behind")
        await world.server.drive.letGo()
        try await world.device.close()
    }

    /// A person stopped the program: nobody else goes on with what it fetched, until that is asked for.
    @Test func whatTheProgramStopsWithIsNobodysToGoOnWith() async throws {
        let world = try await World(Self.count, faults: [.hold(after: 0)])
        let ids = try await held(world)
        try await world.device.close()
        await world.server.drive.letGo()
        let second = try await TestDevice(world.server.origin, folder: world.device.folder)
        #expect(try await second.home.transfers.adopt().isEmpty)
        for id in ids { try await second.home.transfers.resume(id) }
        for await _ in await second.home.transfers.observe(ids) {}
        #expect(try world.arrived())
        try await second.close()
    }

    @Test func whatIsHandedOnIsForWhoeverComesNext() async throws {
        let world = try await World(Self.count, faults: [.hold(after: 0)])
        let ids = try await held(world)
        try await world.device.home.transfers.leaveBehind(Set(ids))
        await world.server.drive.letGo()
        let second = try await TestDevice(world.server.origin, folder: world.device.folder)
        #expect(Set(try await second.home.transfers.adopt()) == Set(ids))
        for await _ in await second.home.transfers.observe(ids) {}
        #expect(try world.arrived())
        try await second.close()
        try await world.device.close()
    }

    /// What is there is there, whatever the others wait for.
    @Test func whatIsInItsPlaceIsToldAndWrittenDownWhileOthersWait() async throws {
        let world = try await World(Self.count, faults: [.hold(after: 7)])
        let transfers = world.device.home.transfers
        let ids = try await held(world)
        _ = await world.ends(Array(ids[..<7]))
        #expect(try await states(Array(ids[..<7]), transfers).allSatisfy { $0 == .completed })
        #expect(try await transfers.list().count == Self.count - 7)
        try await transfers.cancel(ids[3])
        try await transfers.cancel(ids[20])
        #expect(try await states([ids[3], ids[20]], transfers) == [.completed, .canceled])
        await world.server.drive.letGo()
        _ = await world.ends(ids)
        #expect(try world.arrived(but: [20]))
        try await world.device.close()
    }

    /// Whoever is killed between a file and its record has this to know the file by.
    @Test func eachIsWrittenDownBeforeAnythingOfItComes() async throws {
        let world = try await World(Self.count, faults: [.hold(after: 0)])
        let ids = try await held(world)
        let store = await world.device.home.transfers.services.store
        for (id, file) in zip(ids, world.files) {
            guard case .download(let transfer)? = try await store.find(id) else {
                Issue.record("“\(file.name)” has no record")
                continue
            }
            #expect(transfer.expectedHash == file.checksum && transfer.expectedSize == file.size)
            #expect(transfer.revisionId == file.headRevisionId && !transfer.state.rests)
        }
        await world.server.drive.letGo()
        _ = await world.ends(ids)
        try await world.device.close()
    }

    @Test(arguments: [true, false])
    func whatAPersonHasEditedSinceItWasBroughtIsLeftAlone(replacing: Bool) async throws {
        let world = try await World(Self.count)
        let orders = world.files.map {
            DownloadOrder($0, destination: world.device.folder.file("out-\($0.name)"), replacing: replacing)
        }
        let entries = orders.enumerated().map { index, order in
            let transfer = DownloadTransfer(transferId: "t\(index)", order: order, now: world.device.clock.now())
            return TransferQueue.Entry(record: .download(transfer), size: order.size, known: order.known)
        }
        // It ends between the files and their records.
        let services = await world.device.home.transfers.services
        await DownloadCompany(entries, services: services).run { _ in }
        for entry in entries {
            _ = try await services.store.update(entry.id) { record in
                guard case .download(var transfer) = record else { return }
                transfer.state = .transferring
                transfer.downloadedChunks = ChunkProgress(total: 1)
                record = .download(transfer)
            }
        }
        world.device.clock.jump(seconds: 5)
        try world.device.folder.write("out-file-5", Array("mine".utf8))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: Double(world.device.clock.now().seconds))],
            ofItemAtPath: world.device.folder.file("out-file-5"))
        let ids = try await world.device.home.transfers.adopt()
        let ends = await world.ends(ids)
        #expect(ends.values.filter { $0.state == .completed }.count == Self.count - 1)
        #expect(ends["file-5"]?.failure?.code == (replacing ? .changedMeanwhile : .destinationExists))
        #expect(try world.device.folder.read("out-file-5") == Array("mine".utf8))
        #expect(await world.server.drive.count("content") == 0, "what is in its place is not fetched again")
        try await world.device.close()
    }

    @Test func whoeverIsAskedForTwoThingsAtOnceDoesTheLastingOne() async throws {
        for _ in 0..<10 {
            let world = try await World(Self.count, faults: [.hold(after: 0)])
            let transfers = world.device.home.transfers
            let ids = try await held(world)
            async let paused: Void = transfers.pause(ids[3])
            async let canceled: Void = transfers.cancel(ids[3])
            _ = try await (paused, canceled)
            #expect(try await states([ids[3]], transfers) == [.canceled])
            await world.server.drive.letGo()
            try await world.device.close()
        }
    }

    /// Who asks again at once makes it worse.
    @Test func eachWaitsAfterABusyServersAnswer() async throws {
        let world = try await World(Self.count, faults: [.status(503)])
        _ = try await world.fetchAll()
        #expect(try world.arrived())
        let waits = world.device.clock.slept.count { $0 != TransfersRepository.lookInterval }
        #expect(waits >= Self.count)
        try await world.device.close()
    }

    /// Nothing that is there is touched, and the others come.
    @Test func whatMayNotBeReplacedStaysAsItIs() async throws {
        let world = try await World(Self.count)
        try world.device.folder.write("out-file-5", Array("mine".utf8))
        let orders = world.files.map {
            DownloadOrder($0, destination: world.device.folder.file("out-\($0.name)"), replacing: false)
        }
        let ends = await world.ends(try await world.device.home.transfers.download(orders))
        #expect(ends["file-5"]?.failure?.code == .destinationExists)
        #expect(ends.values.filter { $0.state == .completed }.count == Self.count - 1)
        #expect(try world.device.folder.read("out-file-5") == Array("mine".utf8))
        try await world.device.close()
    }
}
